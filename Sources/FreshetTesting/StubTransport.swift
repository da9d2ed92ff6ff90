import Freshet

/// A transport for tests that responds as scripted, with responses, failures, progress and gates.
///
/// ```swift
/// let stub = StubTransport()
/// stub.on(.get, "/items?page=1", .json("[1, 2]"))
/// stub.on(.get, "/items?page=2", .failure(.timedOut), .json("[3]"))
/// stub.on(.post, "/items") { request in .json(#"{"id": 4}"#, status: 201) }
/// let service = Service(baseURL: "https://api.test/", transport: stub)
/// ```
///
/// A stub is matched by method and by path with query, exactly as they are sent (percent-encoded),
/// for any origin; or by absolute URL; or by a predicate. The latest stub that matches is used, so
/// that a test can override its set-up. A request that no stub matches fails with a dump of itself
/// and of the stubs, and is recorded in ``unexpected``.
///
/// Any thread may script and send at any time. No closure of a test runs under a lock.
public final class StubTransport: Transport {
  private let script = Locked(Script())
  private let fallback: (@Sendable (HTTPRequest) async throws -> HTTPResponse)?

  /// Creates a transport that refuses every request without a stub; see ``on(_:_:_:_:)``.
  public init() {
    fallback = nil
  }

  /// Creates a transport from a function; stubs and gates have precedence over it.
  ///
  /// ```swift
  /// let demo = DemoAPI()
  /// let stub = StubTransport { demo.respond(to: $0) }
  /// ```
  ///
  /// - Parameters:
  ///   - respond: the body of ``send(_:progress:)``; it throws only `TransportError`.
  public init(respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    fallback = respond
  }

  /// Responds to the request from the script.
  ///
  /// - Throws: `TransportError`: a scripted failure; `.cancelled` if the task is cancelled
  ///   before sending, while a gate holds the request or while a closure responds to it;
  ///   `.invalidRequest` where no stub matches.
  /// - Complexity: O(1) for stubs with a path; predicates and absolute URLs are checked one by one.
  @concurrent
  public func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse {
    guard !Task.isCancelled else { throw StubTransport.cancellation(of: request) }
    let (gates, hasStubs) = script.withLock { script in
      script.requests.append(request)
      return (script.gates, !script.stubs.isEmpty)
    }
    // Without a script this is a function, and does not need to parse the URL.
    guard hasStubs || !gates.isEmpty else { return try await respond(to: request) }
    let target = Target(method: request.method, pathOf: request.url)
    for pending in gates where pending.rule.matches(request, target) {
      guard script.withLock({ $0.claim(pending.gate) }) else { continue }
      if case .response(let response) = try await pending.gate.pass(request, progress: progress) {
        return try response.deliver(to: request, progress: progress)
      }
      break
    }
    switch turn(of: request, target) {
    case .response(let response)?:
      return try response.deliver(to: request, progress: progress)
    case .handler(let handler)?:
      let response = await handler(request)
      // A handler that suspended may have been cancelled meanwhile.
      guard !Task.isCancelled else { throw StubTransport.cancellation(of: request) }
      return try response.deliver(to: request, progress: progress)
    case nil:
      return try await respond(to: request)
    }
  }

  /// The response to a request that no stub matches: from the function, or a refusal.
  private func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    guard let fallback else { throw refuse(request) }
    let response = try await fallback(request)
    // A function that suspended may have been cancelled meanwhile.
    guard !Task.isCancelled else { throw StubTransport.cancellation(of: request) }
    return response
  }

  /// The reply of the latest stub that matches; nil if none does.
  private func turn(of request: HTTPRequest, _ target: Target) -> Turn? {
    let (exact, searched) = script.withLock { ($0.exact[target], $0.searched) }
    let later = searched.last { index, rule in
      index > exact ?? -1 && rule.matches(request, target)
    }
    guard let index = later?.index ?? exact else { return nil }
    return script.withLock { $0.use(index) }
  }

  private func refuse(_ request: HTTPRequest) -> TransportError {
    let (dump, report) = script.withLock { script in
      script.unexpected.append(request)
      return (script.dump(of: request), script.reportUnexpected)
    }
    report(dump)
    return TransportError(.invalidRequest, dump)
  }

  static func cancellation(of request: HTTPRequest) -> TransportError {
    let path = Target(method: request.method, pathOf: request.url).address.prefix { $0 != "?" }
    return TransportError(.cancelled, "\(request.method) \(path) was cancelled.")
  }

  /// Changes the script or reads the requests.
  func withScript<Result>(_ body: (inout Script) -> Result) -> Result {
    script.withLock(body)
  }
}
