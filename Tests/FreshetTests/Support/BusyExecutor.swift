import Foundation
import FreshetTesting

/// The executor of an actor that a test can keep busy, by suspending the queue: then its jobs wait, in the
/// order in which they came.
///
/// It must never be deallocated: a task that is just being enqueued does not retain it.
final class BusyExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "busy")
  private let jobCount = Locked(0)
  private let added = AsyncStream<Void>.makeStream()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    jobCount.withLock { $0 += 1 }
    added.continuation.yield()
  }

  var count: Int { jobCount.withLock { $0 } }

  /// Returns once that many jobs have come in all.
  func jobs(atLeast count: Int) async {
    if self.count < count { for await _ in added.stream where self.count >= count { return } }
  }
}
