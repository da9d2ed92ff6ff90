/// Which token fetches wait for the end of a request: the request must not wait for one of those
/// tokens, or neither would ever end.
///
/// So making and authorizing such a request is part of those fetches, as it is for requests that a
/// fetch begins; a ``TokenAuthorizer`` lets no part of a fetch wait for it. If a fetch begins to wait
/// while the request is authorized, that begins again, as a part of it. Decorations run once: the request
/// fails if they wait for the token.
extension AnyRequest {
  /// Records that these fetches wait for the end of this request.
  final func noteWait(of others: [TokenFetch]) {
    // In a loop: a chain may have many requests, of which only the last one is sent.
    var (request, others) = (self, others)
    while !request.isCompleted, request.addFetches(others) {
      guard let source = request.source else { return request.becomePartOfFetches() }
      (request, others) = (source, request.fetches)
    }
  }

  /// Begins the authorization of this request again, as a part of the fetches that wait for it.
  private final func becomePartOfFetches() {
    guard let exchange, let work else { return }
    switch work.activity {
    case .authorizing(let restart):
      endWork()
      work.stop()
      restart(self)
    case .decorating(let step): endIfCircular(step, work, exchange)
    case .attempt, .readingCache: break
    }
  }

  /// Ends the request in failure if its decorations wait for one of the tokens whose fetches wait for it.
  private final func endIfCircular(
    _ step: TokenFetch, _ work: RequestWork, _ exchange: Exchange
  ) {
    let fetches = fetches
    scope.isolation.launch {
      for fetch in fetches { await fetch.beginWaiting(for: step) }
      return await step.leads(to: fetches)
    } completion: { [weak self] isCircular in
      guard let self, isCircular, self.work === work else { return }
      end(with: .failure(exchange.unmade(TokenAuthorizer.Failure.recursiveFetch)))
    }
  }
}
