import Foundation
import Testing

/// Runs the tests of a suite on threads of their own, as soon as they can continue.
///
/// All tests begin at once, and most of them compute: one that waits for a socket may continue a minute
/// later, and libcurl closes a connection that was idle for 118 seconds.
struct PromptTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      return try await function()
    }
    try await withTaskExecutorPreference(PromptExecutor.shared) { try await function() }
  }
}

extension Trait where Self == PromptTrait {
  /// The tests run on threads of their own.
  static var prompt: Self { PromptTrait() }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class PromptExecutor: TaskExecutor {
  static let shared = PromptExecutor()
  private let queue = DispatchQueue(label: "prompt", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
