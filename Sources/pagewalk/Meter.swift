import Foundation
import Freshet
import FreshetTesting

/// Counts the requests and responses of a transport.
final class Meter: Sendable {
  struct Counts: Equatable {
    /// Requests sent, repeated ones included.
    var requests = 0
    /// Responses that confirmed known content: 304.
    var notModified = 0
    /// Requests sent again after a failure.
    var retries = 0

    static func - (left: Counts, right: Counts) -> Counts {
      Counts(
        requests: left.requests - right.requests,
        notModified: left.notModified - right.notModified, retries: left.retries - right.retries)
    }
  }

  /// An attempt that failed.
  struct Failure: Sendable {
    let request: HTTPRequest
    /// What happened, without secrets.
    let reason: String
    /// Whether the server has said when the next attempt may come.
    var namesTime = false
  }

  private struct State: Sendable {
    var counts = Counts()
    /// The last failure of each exchange, by its task, which makes the log entry of its retry too.
    var failures: [Int: Failure] = [:]
    var oddities: [Service.LogEntry.Category: String] = [:]
    var cacheFailure: CacheFailure?
    var isCacheFailureTaken = false
    var notStoredCount = 0
  }

  private let state = Locked(State())

  var counts: Counts { state.withLock { $0.counts } }

  /// The message about the first response that was odd in a way; nil for none.
  func oddity(_ category: Service.LogEntry.Category) -> String? {
    state.withLock { $0.oddities[category] }
  }

  /// Records what is odd about a response that could be read.
  func recordOddity(_ entry: Service.LogEntry) {
    state.withLock { $0.oddities[entry.category] = $0.oddities[entry.category] ?? entry.message }
  }

  /// A failure of the persistent cache.
  struct CacheFailure: Sendable {
    /// The first failure.
    var message: String
    var count = 1
  }

  /// Returns the failures of the persistent cache, to be reported once: nil if there was none, and after that.
  func takeCacheFailure() -> CacheFailure? {
    state.withLock { state in
      guard !state.isCacheFailureTaken, let failure = state.cacheFailure else { return nil }
      state.isCacheFailureTaken = true
      return failure
    }
  }

  /// Records a failure of the persistent cache.
  func recordCacheFailure(_ message: String) {
    state.withLock { state in
      state.cacheFailure?.count += 1
      state.cacheFailure = state.cacheFailure ?? CacheFailure(message: message)
    }
  }

  /// How many responses the server forbids to be stored.
  var notStoredCount: Int { state.withLock { $0.notStoredCount } }

  /// Counts a retry, in the task of the exchange; returns the attempt that failed.
  func countRetry() -> Failure? {
    let task = Meter.currentTask
    return state.withLock { state in
      state.counts.retries += 1
      return state.failures.removeValue(forKey: task)
    }
  }

  /// The same transport, counted.
  func metering(_ transport: any Transport) -> any Transport {
    MeteredTransport(transport: transport, meter: self)
  }

  private func record(_ response: HTTPResponse, to request: HTTPRequest) {
    if response.status >= 400 {
      // No time is a consent, and the wait is the program's own.
      let namesTime = RetryAfter.delay(of: response, now: Date()) ?? .zero > .zero
      return record("status \(response.status)", of: request, namesTime: namesTime)
    }
    let forbidsStoring = CacheControl(response.headers.values(for: "Cache-Control"))
      .contains("no-store")
    state.withLock { state in
      if response.status == 304 { state.counts.notModified += 1 }
      if forbidsStoring { state.notStoredCount += 1 }
    }
  }

  private func record(_ reason: String, of request: HTTPRequest, namesTime: Bool = false) {
    let task = Meter.currentTask
    state.withLock {
      $0.failures[task] = Failure(request: request, reason: reason, namesTime: namesTime)
    }
  }

  /// The first sentence of a message, without the request that it may begin with; after a redirect
  /// with its destination.
  private static func reason(_ error: any Error, of request: HTTPRequest) -> String {
    guard let error = error as? TransportError else { return "\(type(of: error))" }
    let message = error.message
    let start = message.hasPrefix("\(request.method) ") ? message.range(of: ": ")?.upperBound : nil
    let destination =
      error.redirectedURL.map { "redirected to \(Redaction.serverLocation($0)): " } ?? ""
    return destination + firstSentence(String(message[(start ?? message.startIndex)...]))
  }

  private static var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  private struct MeteredTransport: Transport {
    let transport: any Transport
    let meter: Meter

    @concurrent
    func send(
      _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> HTTPResponse {
      meter.state.withLock { $0.counts.requests += 1 }
      do {
        let response = try await transport.send(request, progress: progress)
        meter.record(response, to: request)
        return response
      } catch let error as TransportError where error.underlying is HeldRequest {
        // Not sent: it comes again, after the time that the server has asked for.
        meter.state.withLock { $0.counts.requests -= 1 }
        throw error
      } catch {
        meter.record(Meter.reason(error, of: request), of: request)
        throw error
      }
    }
  }
}
