/// A locked value whose changes can be awaited, so that tests do not need to sleep.
final class Watched<Value: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let id: Int
    let condition: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var value: Value
    var waiters: [Waiter] = []
    var nextID = 0

    /// Removes and returns the waiters whose condition holds.
    mutating func satisfied() -> [Waiter] {
      guard !waiters.isEmpty else { return [] }
      let due = waiters.filter { $0.condition(value) }
      waiters.removeAll { waiter in due.contains { $0.id == waiter.id } }
      return due
    }
  }

  private let state: Locked<State>

  init(_ value: Value) {
    state = Locked(State(value: value))
  }

  /// Reads or changes the value, then wakes the waiters whose condition holds.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    let (result, woken) = state.withLock { state in
      let result = body(&state.value)
      return (result, state.satisfied())
    }
    for waiter in woken { waiter.continuation.resume() }
    return result
  }

  /// Returns as soon as the condition holds, or when the task is cancelled.
  ///
  /// The condition runs under the lock: it must only read the value.
  func until(_ condition: @escaping @Sendable (Value) -> Bool) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          // Checked under the lock: a task is marked cancelled before its handlers run, so either
          // this sees the mark or the handler below finds the waiter.
          if Task.isCancelled || condition(state.value) { return true }
          state.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume()
    }
  }
}
