import Foundation

/// The executor of an actor whose jobs run on a dispatch queue, in the order in which they came.
///
/// A test can keep the actor busy by suspending the queue. The executor must never be deallocated: a task
/// that is just being enqueued does not retain it.
package final class QueueExecutor: SerialExecutor {
  package let queue: DispatchQueue
  private let jobCount = Locked(0)
  private let added = AsyncStream<Void>.makeStream()

  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Counted before anything that follows from the job can look.
    jobCount.withLock { count in
      queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
      count += 1
    }
    added.continuation.yield()
  }

  /// How many jobs have come in all.
  package var count: Int { jobCount.withLock { $0 } }

  /// Returns once that many jobs have come in all.
  package func jobs(atLeast count: Int) async {
    if self.count < count { for await _ in added.stream where self.count >= count { return } }
  }
}
