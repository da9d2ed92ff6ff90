import FreshetTesting

/// The actor of the tests that wait for a terminal.
///
/// They are synchronous and have a thread of their own: pages are shown as fresh for a while only, and
/// on the threads of the other tests each look at the screen would wait for its turn among hundreds.
@globalActor
actor TerminalActor {
  static let shared = TerminalActor()
  private nonisolated let executor = QueueExecutor(label: "terminal")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
