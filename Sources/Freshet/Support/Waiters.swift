/// Tasks that wait for something on the store's actor.
struct Waiters {
  private var continuations: [AsyncStream<Never>.Continuation] = []

  /// Whether nothing waits.
  var isEmpty: Bool { continuations.isEmpty }

  /// Something to wait for: it ends when ``resume()`` is called or the waiting task is cancelled.
  mutating func make() -> AsyncStream<Never> {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    continuations.append(continuation)
    return stream
  }

  /// Lets all go on, after the current turn.
  mutating func resume() {
    for continuation in continuations.take() { continuation.finish() }
  }
}
