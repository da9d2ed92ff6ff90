import Foundation
import Freshet

/// The URL of the first page as a person writes it: a pure value.
struct Address: Equatable {
  /// The absolute URL, without user name, password and fragment.
  let url: String
  /// Whom the request headers are for.
  let origin: String
  /// The value of `Authorization` that user name and password of the URL make, RFC 7617.
  let credentials: String?

  init(url: String, origin: String, credentials: String? = nil) {
    self.url = url
    self.origin = origin
    self.credentials = credentials
  }

  /// An argument as it may be shown. What is before an `@` may be a password, also where the rest is
  /// no URL.
  static func redacted(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return Redaction.url(text) }
    return Redaction.placeholder + Redaction.url(String(text[at...]))
  }

  /// Reads an argument.
  init(parsing text: String) throws(UsageError) {
    var url = text
    var userInfo: Substring?
    if let start = text.range(of: "://")?.upperBound {
      let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
      if let at = text[start..<end].lastIndex(of: "@") {
        userInfo = text[start..<at]
        url.removeSubrange(start...at)
      }
    }
    guard let origin = URIReference.origin(of: url),
      let resolved = URIReference.resolve(url, against: ""), URL(string: resolved) != nil
    else {
      throw UsageError(
        "'\(Address.redacted(text))' is not a URL: expected one such as https://example.com/items")
    }
    self.origin = origin
    self.url = URIReference.removingFragment(resolved)
    credentials = userInfo.map { userInfo in
      let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.removingPercentEncoding ?? String($0) }
      let pair = "\(parts.first ?? ""):\(parts.dropFirst().first ?? "")"
      return "Basic " + Data(pair.utf8).base64EncodedString()
    }
  }
}
