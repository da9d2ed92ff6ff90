import Freshet

/// An error of CloudKit Web Services, for a whole request or for one record of it.
///
/// For a request it is `ResourceError.decodedBody` of the error, and its ``retryAfter`` the time of
/// `ResourceError.retryAfter`. For a record it is the ``CloudKitItem/result``.
public struct CloudKitError: Error, Sendable, Hashable, RetryAdvice {
  /// The codes of errors.
  public enum Code: Sendable, Hashable {
    /// `ACCESS_DENIED`
    case accessDenied
    /// `ATOMIC_ERROR`
    case atomicError
    /// `AUTHENTICATION_FAILED`
    case authenticationFailed
    /// `AUTHENTICATION_REQUIRED`: see ``CloudKitError/redirectURL``.
    case authenticationRequired
    /// `BAD_REQUEST`: among others, a continuation marker of another query.
    case badRequest
    /// `CONFLICT`
    case conflict
    /// `EXISTS`
    case exists
    /// `INTERNAL_ERROR`
    case internalError
    /// `NOT_FOUND`
    case notFound
    /// `QUOTA_EXCEEDED`
    case quotaExceeded
    /// `THROTTLED`
    case throttled
    /// `TRY_AGAIN_LATER`
    case tryAgainLater
    /// `VALIDATING_REFERENCE_ERROR`
    case validatingReferenceError
    /// `ZONE_NOT_FOUND`
    case zoneNotFound
    /// Another code, by the server's name for it.
    case other(String)
  }

  /// The code of the error.
  public var code: Code
  /// The server's description; for developers.
  public var reason: String?
  /// The name of the record with the error, if it is about one.
  public var recordName: String?
  /// The zone of that record, if the server sends it.
  public var zone: CloudKitZone?
  /// The time to wait before the next attempt; nil if another attempt would not help.
  public var retryAfter: Duration?
  /// The identifier of the request on the server.
  public var uuid: String?
  /// The URL at which a user can sign in, which no description contains.
  public var redirectURL: String?

  /// Creates an error.
  public init(
    code: Code, reason: String? = nil, recordName: String? = nil, zone: CloudKitZone? = nil,
    retryAfter: Duration? = nil, uuid: String? = nil, redirectURL: String? = nil
  ) {
    self.code = code
    self.reason = reason
    self.recordName = recordName
    self.zone = zone
    self.retryAfter = retryAfter
    self.uuid = uuid
    self.redirectURL = redirectURL
  }

  /// Reads an error; nil if the value is none.
  init?(_ json: JSONText) {
    guard let code = json["serverErrorCode"]?.string else { return nil }
    self.init(
      code: Code(code), reason: json["reason"]?.string, recordName: json["recordName"]?.string,
      zone: CloudKitZone(json["zoneID"]),
      retryAfter: json["retryAfter"].flatMap { $0.double ?? $0.string.flatMap(Double.init) }
        .flatMap(Self.delay),
      uuid: json["uuid"]?.string, redirectURL: json["redirectURL"]?.string)
  }

  /// The delay of so many seconds, no longer than the longest; nil for a negative number and for none.
  static func delay(_ seconds: Double) -> Duration? {
    guard seconds >= 0 else { return nil }
    return min(.seconds(min(seconds, 1e9)), RetryAfter.maximum)
  }

  /// Whether the server responded with `THROTTLED`.
  public var asksForFewerRequests: Bool { code == .throttled }
  /// Whether the same request may succeed a little later.
  public var isTransient: Bool {
    [.throttled, .tryAgainLater, .internalError].contains(code) || retryAfter != nil
  }
}

extension CloudKitError.Code: CustomStringConvertible {
  private static let known: [(name: String, code: Self)] = [
    ("ACCESS_DENIED", .accessDenied), ("ATOMIC_ERROR", .atomicError),
    ("AUTHENTICATION_FAILED", .authenticationFailed),
    ("AUTHENTICATION_REQUIRED", .authenticationRequired), ("BAD_REQUEST", .badRequest),
    ("CONFLICT", .conflict), ("EXISTS", .exists), ("INTERNAL_ERROR", .internalError),
    ("NOT_FOUND", .notFound), ("QUOTA_EXCEEDED", .quotaExceeded), ("THROTTLED", .throttled),
    ("TRY_AGAIN_LATER", .tryAgainLater),
    ("VALIDATING_REFERENCE_ERROR", .validatingReferenceError),
    ("ZONE_NOT_FOUND", .zoneNotFound),
  ]

  /// Creates a code from the server's name for it.
  public init(_ name: String) {
    self = Self.known.first { $0.name == name }?.code ?? .other(name)
  }

  /// The server's name.
  public var description: String {
    if case .other(let name) = self { return name }
    return Self.known.first { $0.code == self }?.name ?? "UNKNOWN"
  }
}

extension CloudKitError: CustomStringConvertible {
  /// Code, reason and record.
  public var description: String {
    let words = reason.map { ": \($0)" } ?? ""
    let record = recordName.map { " (record \($0))" } ?? ""
    return "\(code)\(words)\(record)"
  }
}
