import Foundation

extension Service {
  /// The settings for loading, decoding, caching and refreshing resources.
  ///
  /// A service applies its rules (``Service/configure(_:methods:where:_:)``) in order to the default values. Resources
  /// that match the same rules have the same configuration.
  public struct Configuration: Sendable {
    /// The header fields that are sent with every request.
    ///
    /// To send other values with each request, use ``decorate(_:)``.
    ///
    /// The fields are sent only to the origin of the service, and with an `http` base URL also to the same host over
    /// `https`, at the default ports. Other origins receive at most `Accept`, `Accept-Language`, `Accept-Encoding` and
    /// `User-Agent`, and therefore no credentials.
    public var headers: HTTPHeaders = [:]

    /// The time for which content stays fresh after it was received or confirmed; 30 seconds by default.
    ///
    /// With ``responseFreshness``, it applies only to local writes and to responses that state no lifetime.
    public var freshnessLifetime: Duration = .seconds(30)

    /// The limits within which the freshness that a response states is used; nil, the default, to ignore it.
    ///
    /// With limits, `Cache-Control`, `Expires` and `Age` of a response override ``freshnessLifetime``. Without,
    /// content is fresh for that time, whatever the response states.
    public var responseFreshness: ResponseFreshness?

    /// Whether a resource loads again when it is invalidated, if it has content and is observed;
    /// true by default.
    ///
    /// At most four resources and lists of a service reload at once for this reason. Collections and paginators do
    /// not count as observers of their pages: an observed list reloads if its
    /// ``PagedCollection/Options/reloadsWhenInvalidated`` is true, and an observed paginator reloads its current page
    /// if this setting is true for the page.
    public var reloadsWhenInvalidated = true

    /// Whether the loads of a resource are cancelled when its last observer is removed; false by
    /// default.
    ///
    /// A load continues if something else waits for it: a hook of its request, a task, or a list whose page it loads;
    /// ``PagedCollection/cancelLoad()`` cancels the loads of a list. If an observer is deallocated
    /// without being removed, no load is cancelled immediately, because this is noticed only later.
    public var cancelsUnobservedLoads = false

    /// The time for which ``AnyResource/loadIfNeeded()`` does nothing after a failed load; 1 second by default.
    ///
    /// A longer `Retry-After` overrides it.
    public var failureCooldown: Duration = .seconds(1)

    /// The time limit of one attempt, from sending the request to decoding the response; 30 seconds
    /// by default.
    ///
    /// The time for decorating and authorizing is not included, because both may wait for the user. The time for
    /// which a request waits for a connection is included; see ``TransportConfiguration/maximumConnectionsPerHost``.
    /// At its deadline, a request fails with an error of kind `.timeout`, even if the transport does not return.
    /// Reading the persistent cache has the same time limit, after which the request is sent.
    public var timeout: Duration = .seconds(30)

    /// The maximum size of a response's body in bytes; 32 MiB by default.
    public var maximumResponseSize = HTTPRequest.defaultMaximumResponseSize

    /// The policy for retrying failed requests; ``Service/RetryPolicy/none`` by default.
    public var retryPolicy: RetryPolicy = .none

    /// Returns random numbers in 0..<1, for the waits between attempts.
    package var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// The names of header fields that select content, such as `Accept-Language`.
    ///
    /// The values of these fields are part of a resource's identity: for each value, and without one, there is
    /// another resource, which is loaded with that value. Set the names before creating resources; existing resources
    /// are loaded without the fields.
    public var varyingHeaders: [String] = []

    /// The settings for decoding JSON in responses, and for encoding it in request bodies.
    public var json = JSONSettings()

    /// The transforms of responses and of decoded content.
    public var pipeline = Pipeline()

    /// The authorizer, which adds credentials to requests and renews them after a response of
    /// status 401; nil for none.
    ///
    /// It is used only for requests to the origin of the service.
    public var authorizer: (any RequestAuthorizer)?

    /// The identifier of the user who sends the requests, which stays the same while tokens change; nil by default.
    ///
    /// It may be nil if requests are not for a particular user, or if ``headers`` contains the credentials.
    ///
    /// Content that was received for another user is stale, its validators are not sent, and it is not restored from
    /// the persistent cache, which stores a digest of the identifier.
    ///
    /// If this is nil, the header fields with credentials are compared instead (a `Cookie` only if the response names
    /// it in `Vary`). A response is then not stored in ``cache`` if an authorizer has added credentials to its
    /// request, or if a decoration may have done so: see ``decorate(_:)``.
    ///
    /// When the user changes, call ``Service/reapplyConfiguration()``, and ``Service/wipe(matching:)`` to hide the
    /// content of the previous user.
    public var userIdentifier: String?

    /// The persistent cache, which keeps responses beyond the life of the service; nil for none.
    ///
    /// With an ``authorizer``, and for requests that ``decorate(_:)`` changes, it is used only if ``userIdentifier``
    /// identifies the user.
    ///
    /// Services may share a cache; see ``EntityCache``. ``Service/wipe(matching:)`` also empties caches whose rule
    /// was removed, because a service keeps every cache that a resource has used. Therefore, always set the same
    /// object, not a new one in each call of the rule.
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
    /// The closures are called in the order in which they were added, off the service's actor, and only once for each
    /// request: all of its attempts send the same result. If a closure throws an error, the request fails, with kind
    /// `.invalidRequest` unless the error is a ``ResourceError``.
    ///
    /// The parts that a closure adds may identify the user. Without a ``userIdentifier``, therefore, if a closure
    /// changes the URL, method or body of a request, the response is not stored in ``cache``, and ``log`` receives an
    /// entry. The same applies if it adds or changes header fields, except those that cannot identify a user: `Accept`,
    /// `User-Agent`, `Cache-Control`, `Content-Type`, `traceparent`, `X-Request-ID` and others that describe the
    /// client, the content or a single request. Query parameters that a closure adds are not part of the URL of the
    /// response.
    ///
    /// Set header fields that select content, such as `Accept-Language`, in ``headers`` instead. If the `Vary` of a
    /// response names a field that a closure has changed, the response is not stored in ``cache``. With
    /// ``responseFreshness``, it is stale immediately, as with `Vary: *`, and without an `ETag` it is requested
    /// without a condition.
    public mutating func decorate(
      _ change: @escaping @Sendable (HTTPRequest) async throws -> HTTPRequest
    ) {
      decorations.append(change)
    }

    /// Sends an `Idempotency-Key` with each request whose method is not idempotent, such as `POST` or `PATCH`, so that
    /// ``retryPolicy`` applies to it.
    ///
    /// ```swift
    /// service.configure("orders", methods: [.post]) {
    ///   $0.retryPolicy = .standard
    ///   $0.addIdempotencyKeys()
    /// }
    /// ```
    ///
    /// The key is a UUID for each request, and all of its attempts have the same key. A key that a request already has
    /// is kept. The server has to support such keys: one that ignores them performs the change for each attempt that
    /// arrives.
    /// ``Request/sendAgain()`` sends another request, with another key.
    public mutating func addIdempotencyKeys() {
      decorate { request in
        guard !request.method.isIdempotent, request.headers["Idempotency-Key"] == nil else {
          return request
        }
        var request = request
        request.headers["Idempotency-Key"] = UUID().uuidString
        return request
      }
    }

    /// Decodes the JSON body of error responses as a type, for ``ResourceError/decodedBody``.
    ///
    /// If a body cannot be decoded, ``ResourceError/decodedBody`` is nil. A ``JSONText`` stays as the server sent it.
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
  SecretHolding
{
  /// The name of the type: header fields, and values that the program has set, may hold secrets.
  public var description: String { "Service.Configuration" }
}
