import Freshet
import FreshetTesting

/// Counts what really goes over the wire.
final class Meter: Sendable {
  struct Counts: Equatable {
    /// Requests sent, repeated ones included.
    var requests = 0
    /// Answers that confirmed what is there: 304.
    var notModified = 0
    /// Requests sent again after a failure.
    var retries = 0
  }

  private let state = Locked(Counts())

  var counts: Counts { state.withLock { $0 } }

  func countRetry() {
    state.withLock { $0.retries += 1 }
  }

  /// The same transport, counted.
  func metering(_ transport: any Transport) -> any Transport {
    MeteredTransport(transport: transport, meter: self)
  }

  private struct MeteredTransport: Transport {
    let transport: any Transport
    let meter: Meter

    @concurrent
    func send(
      _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> HTTPResponse {
      meter.state.withLock { $0.requests += 1 }
      let response = try await transport.send(request, progress: progress)
      if response.status == 304 { meter.state.withLock { $0.notModified += 1 } }
      return response
    }
  }
}
