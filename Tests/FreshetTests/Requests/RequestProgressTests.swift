import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Progress of a request", .standardTimeLimit)
struct RequestProgressTests {
  @Test("Progress only grows and is 1 before completion", arguments: StoreActor.allCases)
  func growsToOne(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.get, "/a")
      let request = fixture.text("a").request(.get)
      var (steps, log) = ([Double](), [String]())
      let (seen, step) = AsyncStream<Double>.makeStream()
      request.onProgress {
        steps.append($0)
        step.yield($0)
        if $0 == 1 { log.append("one") }
      }
      request.onCompletion { _ in log.append("completion") }
      #expect(request.progress == 0)
      await gate.arrived()
      var next = seen.makeAsyncIterator()
      for received in [10, 50, 90] {
        gate.report(TransferProgress(bytesReceived: received, bytesExpectedToReceive: 100))
        _ = await next.next(isolation: actor)
        gate.report(TransferProgress(bytesReceived: received - 5, bytesExpectedToReceive: 100))
      }
      #expect(request.progress > 0.8)
      #expect(request.progress < 1)
      gate.release(with: .text("x"))
      await request.completed()
      #expect(steps == steps.sorted())
      #expect(Set(steps).count == steps.count)
      #expect(steps.count == 4)
      #expect(steps.last == 1)
      #expect(request.progress == 1)
      #expect(log == ["one", "completion"])
      request.onProgress { steps.append($0) }
      #expect(steps.suffix(2) == [1, 1])
    }
  }

  @Test(
    "Progress that is asked for before anything is sent is reported", arguments: StoreActor.allCases
  )
  func askedEarly(actor: StoreActor) async {
    await actor.run { actor in
      // Reading the persistent cache first delays the sending.
      let fixture = ServiceFixture { $0.cache = MemoryCache() }
      let gate = fixture.stub.hold(.get, "/a")
      let (seen, step) = AsyncStream<Double>.makeStream()
      let request = fixture.text("a").load().onProgress { step.yield($0) }
      await gate.arrived()
      gate.report(TransferProgress(bytesReceived: 50, bytesExpectedToReceive: 100))
      var next = seen.makeAsyncIterator()
      let first = await next.next(isolation: actor)
      #expect(first.map { $0 > 0 && $0 < 1 } == true)
      gate.release(with: .text("x"))
      await request.completed()
    }
  }

  @Test("Progress is 1 also after failure and cancellation", arguments: StoreActor.allCases)
  func oneAfterFailure(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .failure(.connectionLost))
      var steps: [Double] = []
      let failing = fixture.text("a").request(.get).onProgress { steps.append($0) }
      await failing.completed()
      let cancelled = fixture.text("a").request(.get).onProgress { steps.append($0) }
      cancelled.cancel()
      #expect(steps == [1, 1])
    }
  }

  @Test("An estimate is within 0..<1 and grows with what has moved", arguments: [1, 2] as [UInt64])
  func estimate(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<2_000 {
      let toSend: Int? = random.chance(0.5) ? Int.random(in: 0...1_000, using: &random) : nil
      let toReceive: Int? = random.chance(0.5) ? Int.random(in: 0...1_000, using: &random) : nil
      var transfer = TransferProgress(
        bytesExpectedToSend: toSend, bytesExpectedToReceive: toReceive)
      var last = 0.0
      for _ in 0..<8 {
        transfer.bytesSent += Int.random(in: 0...300, using: &random)
        transfer.bytesReceived += Int.random(in: 0...300, using: &random)
        let fraction = RequestProgress.estimate(of: transfer)
        #expect(fraction >= last && fraction < 1, "seed \(seed) round \(round): \(transfer)")
        last = fraction
      }
    }
  }
}
