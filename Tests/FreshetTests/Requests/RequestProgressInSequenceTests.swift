import Freshet
import FreshetTesting
import Testing

/// Requests of one store reuse channels for the reports of the transport.
@Suite("Progress of requests that follow one another", .standardTimeLimit)
struct RequestProgressInSequenceTests {
  /// A scripted transport that can report on an exchange also when that is over.
  private struct ProgressReportingTransport: Transport {
    let stub = StubTransport()
    private let reports = Locked<[@Sendable (TransferProgress) -> Void]>([])

    @concurrent
    func send(
      _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> HTTPResponse {
      reports.withLock { $0.append(progress) }
      return try await stub.send(request, progress: progress)
    }

    func report(_ progress: TransferProgress, on exchange: Int) {
      reports.withLock { $0 }[exchange](progress)
    }
  }

  private static let half = TransferProgress(bytesReceived: 50, bytesExpectedToReceive: 100)
  private static let most = TransferProgress(bytesReceived: 90, bytesExpectedToReceive: 100)

  /// Receives the first step of a request, then the rest once the gate is open.
  private func steps(
    of request: Request<String>, opening gate: StubTransport.Gate, on actor: isolated any Actor
  ) async -> [Double] {
    let (seen, step) = AsyncStream<Double>.makeStream()
    var steps: [Double] = []
    request.onProgress {
      steps.append($0)
      step.yield($0)
    }
    var next = seen.makeAsyncIterator()
    _ = await next.next(isolation: actor)
    gate.release(with: .text("x"))
    await request.completed()
    return steps
  }

  @Test(
    "What is reported on a request that has ended takes nothing from the next",
    arguments: StoreActor.allCases)
  func reportedLate(actor: StoreActor) async throws {
    try await actor.run { actor in
      let transport = ProgressReportingTransport()
      transport.stub.on(.get, "/a", .text("x"))
      let gate = transport.stub.hold(.get, "/b")
      let service = Service(
        baseURL: "https://api.test", transport: transport, clock: ManualClock(),
        isolation: #isolation)
      _ = try await service.resource("a", of: String.self).request(.get).value()
      let request = service.resource("b", of: String.self).request(.get)
      await gate.arrived()
      gate.report(Self.half)
      transport.report(Self.most, on: 0)
      #expect(await steps(of: request, opening: gate, on: actor) == [0.495, 1])
    }
  }

  @Test(
    "What is reported on a request that was cancelled takes nothing from the next",
    arguments: StoreActor.allCases)
  func cancelled(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let first = fixture.stub.hold(.get, "/a", ignoringCancellation: true)
      let second = fixture.stub.hold(.get, "/b")
      let dropped = fixture.text("a").request(.get)
      await first.arrived()
      dropped.cancel()
      let request = fixture.text("b").request(.get)
      await second.arrived()
      second.report(Self.half)
      first.report(Self.most)
      #expect(await steps(of: request, opening: second, on: actor) == [0.495, 1])
      #expect(dropped.progress == 1)
      first.release(with: .text("x"))
    }
  }

  @Test(
    "After one that was read, and one that was not, the next receives its own",
    arguments: StoreActor.allCases)
  func oneAfterAnother(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      for _ in 1...10 {
        let gate = fixture.stub.hold(.get, "/a")
        let read = fixture.text("a").request(.get)
        await gate.arrived()
        gate.report(Self.half)
        #expect(await steps(of: read, opening: gate, on: actor) == [0.495, 1])
        fixture.stub.on(.get, "/b", .text("x").reporting(Self.most))
        _ = try await fixture.text("b").request(.get).value()
      }
    }
  }
}
