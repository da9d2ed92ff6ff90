/// An HTTP request method, RFC 9110 section 9.
///
/// Methods are case-sensitive; the constants hold the registered spelling.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The method as it is sent.
  public let rawValue: String

  /// Creates a method from the token that is sent.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// `GET`.
  public static let get = HTTPMethod(rawValue: "GET")
  /// `HEAD`.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// `POST`.
  public static let post = HTTPMethod(rawValue: "POST")
  /// `PUT`.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// `PATCH`.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// `DELETE`.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// `OPTIONS`.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// `TRACE`.
  public static let trace = HTTPMethod(rawValue: "TRACE")

  /// Whether the method is safe, RFC 9110 section 9.2.1: read-only by definition.
  public var isSafe: Bool {
    self == .get || self == .head || self == .options || self == .trace
  }

  /// Whether the method is GET or HEAD, the only ones for which a server responds with 304, RFC 9110 section 13.1.2.
  var isRead: Bool { self == .get || self == .head }

  /// Whether the method is idempotent, RFC 9110 section 9.2.2: sent twice, a request has the effect of one.
  public var isIdempotent: Bool {
    isSafe || self == .put || self == .delete
  }

  /// The method as it is sent.
  public var description: String { rawValue }
}
