import Foundation

/// How the resources of a service are loaded, read and kept fresh.
///
/// A service applies its rules (``Service/configure(_:methods:where:_:)``) in order to the defaults
/// below; the result belongs to every resource that the same rules match.
public struct Configuration: Sendable {
  /// Header fields sent with every request.
  ///
  /// They go to the origin of the service only; another origin gets `Accept`, `Accept-Language`,
  /// `Accept-Encoding` and `User-Agent` at most, so that no credential leaves the service.
  public var headers: HTTPHeaders = [:]

  /// How long content stays fresh after it was received or confirmed: 30 seconds.
  public var expirationTime: Duration = .seconds(30)

  /// Whether `Cache-Control`, `Expires` and `Age` of a response, where it has them, decide how long
  /// it stays fresh, rather than `expirationTime`.
  public var usesServerFreshness = false

  /// Whether a resource that is invalidated loads again by itself, if it has content and something
  /// observes it: true. Collections and paginators that observe their pages do not count;
  /// see ``PagedCollection/Options/reloadsWhenInvalidated``.
  public var reloadsWhenInvalidated = true

  /// How long ``AnyResource/loadIfNeeded()`` leaves a failed load alone: 1 second. A longer
  /// `Retry-After` of the server counts instead.
  public var retryTime: Duration = .seconds(1)

  /// The deadline of one try, from the first byte sent to the content read: 30 seconds. Decorating and
  /// authorizing, which may wait for a person, do not count. A request ends at its deadline also where
  /// the transport goes on. A persistent cache that takes longer is passed over, and the server asked.
  public var timeout: Duration = .seconds(30)

  /// The most bytes that a response's body may have: 32 MiB.
  public var maximumResponseSize = HTTPRequest.defaultMaximumResponseSize

  /// Which failures are tried again at once, and how often: none.
  public var retries: RetryPolicy = .none

  /// Random numbers in 0..<1 for the waits between attempts.
  public var random: @Sendable () -> Double = { .random(in: 0..<1) }

  /// The names of header fields that select content, such as `Accept-Language`: resources that send
  /// other values of them are other resources.
  public var varyingHeaders: [String] = []

  /// How JSON is read.
  public var json = JSONSettings()

  /// The transforms that responses go through.
  public var pipeline = Pipeline()

  /// Adds what identifies the caller, and renews it once when the server does not accept it. Used for
  /// the origin of the service only.
  public var authorizer: (any RequestAuthorizer)?

  /// Where responses are kept beyond the life of the store; nil for nowhere.
  public var cache: (any EntityCache)?

  /// Is notified of what happens on the wire, and everything that could not be done and would otherwise go
  /// unnoticed. Called from any thread.
  public var log: (@Sendable (LogEntry) -> Void)?

  private(set) var decorations: [@Sendable (HTTPRequest) async throws -> HTTPRequest] = []
  private(set) var errorDecoder: (@Sendable (DecodingInput) throws -> any Sendable)?

  /// Makes the default configuration.
  public init() {}

  /// Adds a last change to every request before it is sent; decorations run in the order in which
  /// they were added, off the store's actor. What one throws fails the request.
  public mutating func decorate(
    _ change: @escaping @Sendable (HTTPRequest) async throws -> HTTPRequest
  ) {
    decorations.append(change)
  }

  /// Reads the JSON body of error responses into this type, for ``ResourceError/decodedBody``. A body
  /// that does not fit leaves that nil.
  public mutating func decodeErrors<Body: Decodable & Sendable>(as type: Body.Type) {
    decodeErrors { input in
      try input.json.makeDecoder().decode(type, from: input.response.body)
    }
  }

  /// Reads the body of error responses, for ``ResourceError/decodedBody``.
  public mutating func decodeErrors(
    _ decode: @escaping @Sendable (DecodingInput) throws -> any Sendable
  ) {
    errorDecoder = decode
  }
}
