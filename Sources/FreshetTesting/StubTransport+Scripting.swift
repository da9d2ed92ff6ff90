import Freshet

extension StubTransport {
  /// Responds to requests with this method and target; several responses are sent one after the
  /// other, and the last one forever.
  ///
  /// - Parameters:
  ///   - method: the method of the requests.
  ///   - target: path and query as they are sent, such as `/items?page=2`, or an absolute URL.
  ///   - response: the first response.
  ///   - further: the responses after it.
  public func on(
    _ method: HTTPMethod, _ target: String, _ response: Response, _ further: Response...
  ) {
    add(Rule(method, target), .responses([response] + further))
  }

  /// Responds to requests with this method and target by calling the closure for each.
  public func on(
    _ method: HTTPMethod, _ target: String,
    respond: @escaping @Sendable (HTTPRequest) async -> Response
  ) {
    add(Rule(method, target), .handler(respond))
  }

  /// Responds to requests that satisfy the predicate, one response after the other, the last one forever.
  public func on(
    where predicate: @escaping @Sendable (HTTPRequest) -> Bool, _ response: Response,
    _ further: Response..., fileID: StaticString = #fileID, line: UInt = #line
  ) {
    add(.predicate(predicate, name: "\(fileID):\(line)"), .responses([response] + further))
  }

  /// Responds to requests that satisfy the predicate by calling the closure for each.
  public func on(
    where predicate: @escaping @Sendable (HTTPRequest) -> Bool, fileID: StaticString = #fileID,
    line: UInt = #line, respond: @escaping @Sendable (HTTPRequest) async -> Response
  ) {
    add(.predicate(predicate, name: "\(fileID):\(line)"), .handler(respond))
  }

  /// Responds to GET with the pages of a list, as JSON arrays that a `Link` header connects: the first
  /// one at `target`, the others with `page=2`, `page=3` … in its query.
  ///
  /// ```swift
  /// stub.onPages("/gists", [[Gist(id: 1), Gist(id: 2)], [Gist(id: 3)]])
  /// ```
  ///
  /// ``Response/page(encoding:next:headers:)`` is one of these pages, to serve another one later.
  ///
  /// - Parameters:
  ///   - target: path and query of the first page. If the query has a `page` with a number, the others
  ///     count from that.
  ///   - pages: the items of each page, encoded as by ``Response/json(encoding:status:headers:)``. Without
  ///     pages the list is one that is empty.
  public func onPages(_ target: String, _ pages: [[some Encodable]]) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.dropFirst().flatMap { $0.split(separator: "&") }
    let numbers = query.map { $0.hasPrefix("page=") ? Int($0.dropFirst(5)) : nil }
    let first = numbers.lazy.compactMap(\.self).first ?? 1
    func url(_ index: Int) -> String {
      guard index > 0 else { return target }
      let others = zip(query, numbers).filter { $0.1 == nil }.map { String($0.0) }
      return "\(parts[0])?" + (others + ["page=\(first + index)"]).joined(separator: "&")
    }
    let pages = pages.isEmpty ? [[]] : pages
    for (index, items) in pages.enumerated() {
      let next = index + 1 < pages.count ? url(index + 1) : nil
      on(.get, url(index), .page(encoding: items, next: next))
    }
  }

  /// Holds the next request with this method and target until the gate is released.
  ///
  /// A gate is for one request. Several for the same target are reached in the order in which they
  /// were made.
  ///
  /// - Parameters:
  ///   - method: the method of the request.
  ///   - target: path and query as they are sent, or an absolute URL.
  ///   - ignoringCancellation: whether the request stays held when its task is cancelled: a transport
  ///     that breaks its contract, to test that a late response is not used.
  public func hold(
    _ method: HTTPMethod, _ target: String, ignoringCancellation: Bool = false
  ) -> Gate {
    addGate(Rule(method, target), ignoringCancellation)
  }

  /// Holds the next request that satisfies the predicate until the gate is released.
  public func hold(
    where predicate: @escaping @Sendable (HTTPRequest) -> Bool,
    ignoringCancellation: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Gate {
    addGate(.predicate(predicate, name: "\(fileID):\(line)"), ignoringCancellation)
  }

  /// Sets the closure that receives the dump of each request that no stub matches; its error
  /// contains the same dump.
  ///
  /// Called on the thread that sends, once for each such request. By default the dump is printed to
  /// standard error.
  ///
  /// ```swift
  /// stub.onUnexpected { Issue.record("\($0)") }
  /// ```
  public func onUnexpected(_ report: @escaping @Sendable (String) -> Void) {
    withScript { $0.reportUnexpected = report }
  }

  /// All requests that were sent, matched or not, in order of arrival.
  public var requests: [HTTPRequest] { withScript { $0.requests } }

  /// The requests that no stub matched; a test should end with none.
  public var unexpected: [HTTPRequest] { withScript { $0.unexpected } }

  /// Returns the number of requests with this method and target that were sent.
  ///
  /// - Complexity: O(*n*) in the number of requests.
  public func count(_ method: HTTPMethod, _ target: String) -> Int {
    let rule = Rule(method, target)
    return requests.count { rule.matches($0, Target(method: $0.method, pathOf: $0.url)) }
  }

  /// Removes the requests so far, matched or not; the stubs and their positions stay.
  public func forgetRequests() {
    withScript { script in
      script.requests = []
      script.unexpected = []
    }
  }

  private func add(_ rule: Rule, _ reply: Reply) {
    withScript { $0.add(rule, reply) }
  }

  private func addGate(_ rule: Rule, _ ignoringCancellation: Bool) -> Gate {
    let gate = Gate(ignoresCancellation: ignoringCancellation)
    withScript { $0.gates.append(PendingGate(rule: rule, gate: gate)) }
    return gate
  }
}
