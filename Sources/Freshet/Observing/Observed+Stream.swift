extension Observed {
  /// Returns what an observer makes of the events, as a stream that any task may iterate.
  ///
  /// The stream observes from this call on. It ends with the subject, which it does not keep; the
  /// observation ends with the stream, with its iteration, and with the iterating task.
  ///
  /// - Parameters:
  ///   - isLate: whether the element is of the time after all observers were notified of the event.
  ///   - element: returns the element of a notice; nil for none.
  func stream<Element: Sendable>(
    _ buffering: AsyncStream<Element>.Continuation.BufferingPolicy, isLate: Bool = false,
    _ element: @escaping (_ notice: Notice) -> Element?
  ) -> AsyncStream<Element> {
    observedStream(buffering, isLate: isLate, element).stream
  }

  private func observedStream<Element: Sendable>(
    _ buffering: AsyncStream<Element>.Continuation.BufferingPolicy, isLate: Bool = false,
    _ element: @escaping (_ notice: Notice) -> Element?
  ) -> (stream: AsyncStream<Element>, owner: StreamOwner, token: ObservationToken) {
    let (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: buffering)
    let owner = StreamOwner()
    let source = StreamSource(continuation)
    // Released by the stream where it ends, on any thread: that alone ends the observation.
    continuation.onTermination = { _ in withExtendedLifetime(owner) {} }
    func pass(_ notice: Notice) {
      if let element = element(notice) { source.continuation.yield(element) }
    }
    let token = add(owner: owner) { [queue] notice in
      if isLate { queue.post { pass(notice) } } else { pass(notice) }
    }
    return (stream, owner, token)
  }

  /// Observes until the waiting task is cancelled or the observers are removed.
  ///
  /// - Parameter begin: called at once, when the subject is observed.
  func observe(_ begin: () -> Void) async {
    guard !Task.isCancelled else { return }
    let (end, owner, token) = observedStream(.bufferingNewest(0)) { _ -> Void? in nil }
    begin()
    for await _ in end {}
    // Removed and not released: an event before this would take it for an observer that was deallocated, which
    // leaves its load.
    withExtendedLifetime(owner) { token.cancel() }
  }
}

/// The owner of a stream's observation.
private final class StreamOwner: Sendable {}

/// The end of a stream where elements come in. It ends the stream when the observation is released.
private final class StreamSource<Element: Sendable> {
  let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = continuation
  }

  deinit {
    continuation.finish()
  }
}
