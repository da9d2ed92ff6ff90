import Freshet

extension StubTransport {
  /// Holds one request until a test releases it: made by
  /// ``StubTransport/hold(_:_:ignoringCancellation:)``.
  ///
  /// ```swift
  /// let gate = stub.hold(.get, "/profile")
  /// profile.load()
  /// await gate.arrived()
  /// #expect(profile.isLoading)
  /// gate.release(with: .json(#"{"name": "Grace"}"#))
  /// ```
  ///
  /// Any thread may call its methods. A held request that is never released waits forever.
  public final class Gate: Sendable {
    enum Passage: Sendable {
      case toStubs
      case response(Response)
    }

    private struct Held: Sendable {
      let continuation: CheckedContinuation<Passage, any Error>
      let progress: @Sendable (TransferProgress) -> Void
    }

    private struct State: Sendable {
      var request: HTTPRequest?
      var held: Held?
      var passage: Passage?
      var isCancelled = false
    }

    private let state = Watched(State())
    private let ignoresCancellation: Bool

    init(ignoresCancellation: Bool) {
      self.ignoresCancellation = ignoresCancellation
    }

    /// The request that reached the gate; nil until one has.
    public var request: HTTPRequest? { state.withLock { $0.request } }

    /// Whether the task of the request was cancelled before the gate was released.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Returns as soon as a request has reached the gate, or when the calling task is cancelled.
    ///
    /// If the program never sends the request, this waits forever: give the test a `.timeLimit`, which
    /// cancels it, or wait for ``request`` with ``ManualClock/run(until:within:)``, which throws as soon as
    /// nothing is under way.
    public func arrived() async {
      await state.until { $0.request != nil }
    }

    /// Returns as soon as the held request is cancelled, or when the calling task is.
    public func cancelled() async {
      await state.until { $0.isCancelled }
    }

    /// Reports progress to the sender of the held request; does nothing while none is held.
    public func report(_ progress: TransferProgress) {
      let held = state.withLock { $0.held }
      held?.progress(progress)
    }

    /// Passes the request on to the stubs, as if there had been no gate.
    ///
    /// Before a request has arrived, it opens the gate for the next one. Only the first release has
    /// an effect, and none does after the request was cancelled.
    public func release() {
      open(.toStubs)
    }

    /// Responds to the held request. As with ``release()``, the first release has an effect.
    public func release(with response: Response) {
      open(.response(response))
    }

    private func open(_ passage: Passage) {
      let held: Held? = state.withLock { state in
        guard state.passage == nil else { return nil }
        state.passage = passage
        defer { state.held = nil }
        return state.held
      }
      held?.continuation.resume(returning: passage)
    }

    /// Holds the request until the gate is open.
    func pass(
      _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> Passage {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let early: Result<Passage, any Error>? = state.withLock { state in
            state.request = request
            if let passage = state.passage { return .success(passage) }
            // Checked under the lock, so that a cancellation is seen either here or by the handler.
            if Task.isCancelled {
              state.isCancelled = true
              if !ignoresCancellation { return .failure(StubTransport.cancellation(of: request)) }
            }
            state.held = Held(continuation: continuation, progress: progress)
            return nil
          }
          if let early { continuation.resume(with: early) }
        }
      } onCancel: {
        cancel(request)
      }
    }

    private func cancel(_ request: HTTPRequest) {
      let held: Held? = state.withLock { state in
        guard state.passage == nil else { return nil }
        state.isCancelled = true
        guard !ignoresCancellation else { return nil }
        defer { state.held = nil }
        return state.held
      }
      held?.continuation.resume(throwing: StubTransport.cancellation(of: request))
    }
  }
}
