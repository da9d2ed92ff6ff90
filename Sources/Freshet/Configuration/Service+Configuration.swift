import Foundation

extension Service {
  /// The settings by which resources are loaded, decoded, cached and kept fresh.
  ///
  /// A service applies its rules (``Service/configure(_:methods:where:_:)``) in order to the
  /// defaults below. Resources that the same rules match have the same configuration.
  public struct Configuration: Sendable {
    /// The header fields that are sent with every request.
    ///
    /// They are the same for many requests: what is to differ from request to request is for ``decorate(_:)``.
    ///
    /// They are sent to the origin of the service only, and with an `http` base URL to the same host over `https`,
    /// at the default ports. Of them, another origin receives `Accept`,
    /// `Accept-Language`, `Accept-Encoding` and `User-Agent` at most, and so no credentials.
    public var headers: HTTPHeaders = [:]

    /// How long content stays fresh after it was received or confirmed; 30 seconds by default.
    ///
    /// With ``responseFreshness``, that is for local writes and for responses that state no time.
    public var freshnessLifetime: Duration = .seconds(30)

    /// The limits within which the freshness that a response states is used; nil, the default, to ignore it.
    ///
    /// With limits, `Cache-Control`, `Expires` and `Age` of a response override ``freshnessLifetime``. Without,
    /// content is fresh for that time, whatever the response states.
    public var responseFreshness: ResponseFreshness?

    /// Whether a resource loads again when it is invalidated, if it has content and is observed;
    /// true by default.
    ///
    /// At most four resources and lists of a service are reloading for this at once. Collections and
    /// paginators that observe their pages do not count as observers here: an observed list loads by
    /// ``PagedCollection/Options/reloadsWhenInvalidated``, and an observed paginator loads its current page
    /// if this is true for it.
    public var reloadsWhenInvalidated = true

    /// Whether the loads of a resource are cancelled when its last observer is removed; false by
    /// default.
    ///
    /// A load continues if something else waits for it: a hook of its request, or a task. An observer
    /// that is deallocated without being removed cancels none: that is noticed later, maybe by the next load.
    public var cancelsUnobservedLoads = false

    /// How long after a failed load ``AnyResource/loadIfNeeded()`` does nothing; 1 second by
    /// default.
    ///
    /// A longer `Retry-After` of the server overrides it.
    public var failureCooldown: Duration = .seconds(1)

    /// The time limit of one attempt, from sending the request to decoding the response; 30 seconds
    /// by default.
    ///
    /// Decorating and authorizing do not count, because they may wait for a person. Waiting for a connection
    /// does, if more requests are under way than a host gets connections: see
    /// ``TransportConfiguration/maximumConnectionsPerHost``. At its deadline
    /// a request fails with an error of kind `.timeout`, even if the transport does not return.
    /// Reading the persistent cache has the same time limit; after that the request is sent.
    public var timeout: Duration = .seconds(30)

    /// The maximum size of a response's body in bytes; 32 MiB by default.
    public var maximumResponseSize = HTTPRequest.defaultMaximumResponseSize

    /// The policy for retrying failed requests; ``Service/RetryPolicy/none`` by default.
    public var retries: RetryPolicy = .none

    /// Returns random numbers in 0..<1, for the waits between attempts.
    package var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// The names of header fields that select content, such as `Accept-Language`.
    ///
    /// Their values are part of a resource's identity: with another value, or with none, it is another resource. Each
    /// is loaded with the values that its identity has. Name the fields before resources are made: one that was made
    /// before is loaded without them.
    public var varyingHeaders: [String] = []

    /// The settings for decoding JSON.
    public var json = JSONSettings()

    /// The transforms of responses and of decoded content.
    public var pipeline = Pipeline()

    /// The authorizer, which adds credentials to requests and renews them after a response of
    /// status 401; nil for none.
    ///
    /// It is used for requests to the origin of the service only.
    public var authorizer: (any RequestAuthorizer)?

    /// The identifier of the user who sends the requests, which stays the same while tokens change; nil by default.
    ///
    /// It may be nil if requests are not for a particular user, or if ``headers`` contains the credentials.
    ///
    /// Content that was received for another user is stale, its validators are not sent, and it is not
    /// restored from the persistent cache. If this is nil, header fields with credentials are compared
    /// instead (a `Cookie` only if the response names it in `Vary`), and a response is not stored in ``cache``
    /// where an authorizer has added credentials to its request, or a decoration something that may be one:
    /// see ``decorate(_:)``. The cache holds a digest of the name.
    ///
    /// Call ``Service/configurationChanged()`` when it changes, and ``Service/wipe(matching:)`` where the
    /// content of the old user is not to be shown any more.
    public var account: String?

    /// The persistent cache, which keeps responses beyond the life of the service; nil for none.
    ///
    /// With an ``authorizer`` it is used only if ``account`` says whose responses it keeps. The same
    /// applies to requests that ``decorate(_:)`` changes.
    ///
    /// Services may share a cache; see ``EntityCache``. ``Service/wipe(matching:)`` empties it, also after
    /// its rule was removed: a service keeps each cache that a resource had. So set one object, not
    /// a new one in each call of the rule.
    public var cache: (any EntityCache)?

    /// A closure that receives log entries: network activity, and failures that are not reported elsewhere.
    ///
    /// The closure is called on any thread.
    public var log: (@Sendable (LogEntry) -> Void)?

    private(set) var decorations: [@Sendable (HTTPRequest) async throws -> HTTPRequest] = []
    private(set) var errorDecoder: (@Sendable (DecodingInput) throws -> any Sendable)?

    /// Creates the default configuration.
    public init() {}

    /// Adds a closure that changes every request before it is authorized and sent.
    ///
    /// The closures are called in the order in which they were added, off the service's actor, and once for a
    /// request: each attempt sends what they have made. An
    /// error that one throws fails the request, with kind `.invalidRequest` unless it is a
    /// ``ResourceError``.
    ///
    /// What a closure adds may say who asks. So without an ``account``, a response to a request whose URL, method
    /// or body it has changed is not stored in ``cache``, and ``log`` receives an entry. The same holds for
    /// header fields that it has added or changed, except those of this list, which cannot say that: `Accept`,
    /// `User-Agent`, `Cache-Control`, `Content-Type`, `traceparent`, `X-Request-ID` and others that describe
    /// the client, the content or a single request. Query parameters that it adds are not part of the URL of
    /// the response.
    ///
    /// A header field that selects content, such as `Accept-Language`, is for ``headers``. If `Vary` of a response
    /// names a field that a closure has changed, the response is not stored in ``cache``. With
    /// ``responseFreshness`` it is stale at once, as with `Vary: *`, and without an `ETag` it is requested without
    /// a condition.
    public mutating func decorate(
      _ change: @escaping @Sendable (HTTPRequest) async throws -> HTTPRequest
    ) {
      decorations.append(change)
    }

    /// Decodes the JSON body of error responses to a type, for ``ResourceError/decodedBody``; a ``JSONText`` stays
    /// as the server sent it.
    ///
    /// If a body cannot be decoded, ``ResourceError/decodedBody`` is nil.
    public mutating func decodeErrors<Body: Decodable & Sendable>(as type: Body.Type) {
      decodeErrors { try $0.decodeJSON(type) }
    }

    /// Decodes the body of error responses with a closure, for ``ResourceError/decodedBody``.
    ///
    /// If the closure throws, ``ResourceError/decodedBody`` is nil, and ``log`` receives an
    /// entry.
    public mutating func decodeErrors(
      _ decode: @escaping @Sendable (DecodingInput) throws -> any Sendable
    ) {
      errorDecoder = decode
    }
  }
}

extension Service.Configuration: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The name of the type: header fields, and values that the program has set, may hold secrets.
  public var description: String { "Service.Configuration" }
  /// The name of the type, as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children, because header fields, and values that the program has set, may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
