import Freshet
import FreshetTesting

/// Token fetches that a test ends one by one; they ignore cancellation.
actor FetchScript {
  private var waiting: [Int: CheckedContinuation<String, any Error>] = [:]
  private(set) var count = 0
  private let begun = AsyncStream<Void>.makeStream()

  /// Fetches a token: waits until the test has decided about this fetch.
  func fetch() async throws -> String {
    count += 1
    let number = count
    return try await withCheckedThrowingContinuation { continuation in
      waiting[number] = continuation
      begun.continuation.yield()
    }
  }

  /// Returns once a fetch has begun, since the last call.
  nonisolated func begins() async {
    for await _ in begun.stream { return }
  }

  /// Ends a fetch, by its number in the order of their beginnings.
  func end(_ number: Int, with result: Result<String, any Error>) {
    waiting.removeValue(forKey: number)?.resume(with: result)
  }

  /// Ends all that have not ended.
  func endAll() {
    for number in waiting.keys { end(number, with: .failure(CancellationError())) }
  }
}

extension ResourceError {
  /// Whether it is caused by a fetch that waits for itself, or by fetches that wait for each other.
  var isOfRecursiveFetch: Bool {
    underlying as? TokenAuthorizer.Failure == .recursiveFetch
      || (underlying as? ResourceError)?.isOfRecursiveFetch == true
  }
}
