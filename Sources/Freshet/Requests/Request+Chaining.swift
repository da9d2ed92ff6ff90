extension Request {
  /// Continues with another request after a success, and completes with its outcome.
  ///
  /// A failure passes through without calling `next`. Cancelling the returned request cancels the
  /// one that is under way.
  ///
  /// ```swift
  /// login.request(.post, body: .json(credentials), as: Token.self)
  ///   .then { token in profile.load() }
  /// ```
  public func then<Next>(
    _ next: @escaping (ResourceEntity<Content>) -> Request<Next>
  ) -> Request<Next> {
    chained { ending, chain in
      switch ending {
      case .success(let fetched): chain.follow(next(ResourceEntity(fetched.entity)), from: 0.5)
      case .failure(let error): chain.fail(with: error)
      }
    } again: {
      self.sendAgain().then(next)
    }
  }

  /// Continues with another request after a failure, and completes with its outcome; nil keeps the failure.
  ///
  /// A success passes through without calling `next`, and so does a cancellation. Cancelling the
  /// returned request cancels the one that is under way.
  public func recovering(
    _ next: @escaping (ResourceError) -> Request?
  ) -> Request {
    chained { ending, chain in
      if case .failure(let error) = ending, error.kind != .cancelled, let other = next(error) {
        chain.follow(other, from: 0.5)
      } else {
        chain.complete(ending)
      }
    } again: {
      self.sendAgain().recovering(next)
    }
  }

  private func chained<Next>(
    _ proceed: @escaping (LoadOutcome, Request<Next>) -> Void,
    again: @escaping () -> Request<Next>
  ) -> Request<Next> {
    let chain = Request<Next>(scope: scope, again: again)
    // Held by the chain: a request that is under way is otherwise kept by its own store, which may
    // be another one, and be deallocated.
    chain.depend(on: self)
    onProgress { [weak chain] in chain?.advance(to: $0 / 2) }
    onWait { [weak chain] in chain?.setWait($0) }
    whenEnded { [weak chain] ending in
      guard let chain, !chain.isCompleted else { return }
      proceed(ending, chain)
    }
    return chain
  }

  /// Takes the outcome of another request, whose progress fills the remaining part of this one's.
  private func follow(_ other: Request, from start: Double) {
    // Cancelled by the very closure that made the other request.
    guard !isCompleted else { return other.cancel() }
    depend(on: other)
    other.onProgress { [weak self] in self?.advance(to: start + $0 * (1 - start)) }
    other.onWait { [weak self] in self?.setWait($0) }
    other.whenEnded { [weak self] ending in self?.complete(ending) }
  }
}
