#if os(Linux)
  /// The mail of a task that waits while its exchange runs on the thread of the transport.
  ///
  /// Progress is the latest only: a task whose progress closure is slow misses reports, and holds up
  /// nothing. The first outcome counts, so that there is exactly one, however a cancellation and the
  /// end of the exchange meet.
  final class CurlMailbox: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>

    enum Mail: Sendable {
      case moved(TransferProgress)
      case ended(Outcome)
    }

    private struct State: Sendable {
      var moved: TransferProgress?
      var outcome: Outcome?
      var reader: CheckedContinuation<Mail, Never>?

      /// The continuation and what to resume it with, if it waits and there is anything.
      mutating func delivery() -> (CheckedContinuation<Mail, Never>, Mail)? {
        guard let reader, let mail = next() else { return nil }
        self.reader = nil
        return (reader, mail)
      }

      /// The next mail, if there is any: the outcome supersedes progress.
      mutating func next() -> Mail? {
        if let outcome { return .ended(outcome) }
        defer { moved = nil }
        return moved.map { .moved($0) }
      }
    }

    private let state = CurlLock(State())

    /// Whether there is an outcome.
    var hasEnded: Bool { state.withLock { $0.outcome != nil } }

    /// Reports progress.
    func move(_ progress: TransferProgress) {
      change { $0.moved = progress }
    }

    /// Ends the exchange, unless it has ended.
    func end(_ outcome: Outcome) {
      change { if $0.outcome == nil { $0.outcome = outcome } }
    }

    /// The next mail, for one task; after the outcome there is no other.
    func next() async -> Mail {
      await withCheckedContinuation { continuation in
        let mail = state.withLock { state in
          let mail = state.next()
          if mail == nil { state.reader = continuation }
          return mail
        }
        if let mail { continuation.resume(returning: mail) }
      }
    }

    private func change(_ body: (inout State) -> Void) {
      let delivery = state.withLock { state in
        body(&state)
        return state.delivery()
      }
      if let (reader, mail) = delivery { reader.resume(returning: mail) }
    }
  }
#endif
