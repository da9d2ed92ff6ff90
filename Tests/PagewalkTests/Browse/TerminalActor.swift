import Dispatch

/// The actor of the tests that wait for a terminal.
///
/// They are synchronous and have a thread of their own: pages are shown as fresh for a while only, and
/// on the threads of the other tests each look at the screen would wait for its turn among hundreds.
@globalActor
actor TerminalActor {
  static let shared = TerminalActor()
  private nonisolated let executor = Executor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "terminal")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
}
