import Foundation

/// The identity of a resource: everything that is sent and selects content.
///
/// Keys are compared as bytes. That matters because `String` equality merges the composed and the
/// decomposed form of a character, which are different names to a server; `url` is therefore always
/// ASCII (other characters are percent-encoded before they get here), and the body is kept as bytes.
public struct ResourceKey: Hashable, Sendable {
  /// The absolute URL without fragment, ASCII, with the percent-encoding and parameter order that it
  /// was given.
  public let url: String
  /// What a plain GET does not have; nil for one, so that most keys are just their URL.
  private let rest: Rest?

  /// Makes a key of parts that are already in the form that each property describes.
  package init(
    method: HTTPMethod = .get, url: String, body: Data? = nil, headers: HTTPHeaders = [:]
  ) {
    self.url = url
    let isPlain = method == .get && body == nil && headers.fields.isEmpty
    rest = isPlain ? nil : Rest(method: method, body: body, headers: headers)
  }

  /// The request method.
  public var method: HTTPMethod { rest?.method ?? .get }
  /// The JSON request body with sorted object keys and no white space, or nil for none.
  public var body: Data? { rest?.body }
  /// The request headers that select content: lower-case names in sorted order.
  public var headers: HTTPHeaders { rest?.headers ?? [:] }

  private final class Rest: Hashable, Sendable {
    let method: HTTPMethod
    let body: Data?
    let headers: HTTPHeaders

    init(method: HTTPMethod, body: Data?, headers: HTTPHeaders) {
      self.method = method
      self.body = body
      self.headers = headers
    }

    static func == (left: Rest, right: Rest) -> Bool {
      left.method == right.method && left.body == right.body
        && left.headers.fields.elementsEqual(right.headers.fields) {
          $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
        }
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(method)
      hasher.combine(body)
      for field in headers.fields {
        hasher.combine(field.name)
        hasher.combine(field.value)
      }
    }
  }
}

extension ResourceKey: CustomStringConvertible {
  /// Method and URL, secrets in it replaced.
  public var description: String { "\(method) \(Redaction.url(url))" }
}
