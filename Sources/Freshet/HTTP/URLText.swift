import Foundation

/// The URL of a request or a response: as text, and as a `URL` where one is asked for.
///
/// Most exchanges need the text alone, and parsing one takes 4,000 instructions, 6 % of loading a page.
struct URLText: Sendable {
  private enum Storage {
    /// Text that `URL(string:)` accepts, and keeps to the letter.
    case plain(String)
    case parsed(URL)
  }

  private let storage: Storage

  init(_ url: URL) { storage = .parsed(url) }

  /// Creates a URL of its text; nil if it cannot be one.
  init?(_ text: String) {
    if URIReference.isPlainURL(text) {
      storage = .plain(text)
    } else {
      guard let url = URL(string: text) else { return nil }
      storage = .parsed(url)
    }
  }

  /// Creates an absolute URL of text that needs no encoding; nil for any other.
  init?(exactly text: String) {
    if URIReference.isPlainURL(text) {
      storage = .plain(text)
    } else {
      guard let url = URL(string: text, encodingInvalidCharacters: false), url.scheme != nil else {
        return nil
      }
      storage = .parsed(url)
    }
  }

  /// Whether this is known to be an `http` or `https` URL with a host and without user name.
  var isPlain: Bool { if case .plain = storage { true } else { false } }

  /// The absolute URL.
  var text: String {
    switch storage {
    case .plain(let text): text
    case .parsed(let url): url.absoluteString
    }
  }

  /// The same as a `URL`, which is parsed each time that it is read.
  var url: URL {
    switch storage {
    case .plain(let text):
      guard let url = URL(string: text) else {
        preconditionFailure("URLText.url: \(Redaction.url(text)) was taken for a plain URL")
      }
      return url
    case .parsed(let url): return url
    }
  }
}

extension URLText: Hashable {
  static func == (left: URLText, right: URLText) -> Bool { left.text == right.text }
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
