import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The loads in flight, with their requests", .standardTimeLimit)
@MainActor struct LoadsInFlightTests {
  @Test(
    "At random it finds the requests that a search of all of them finds",
    arguments: [1, 2, 3, 4, 5] as [UInt64])
  func matchesSearch(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let fixture = ServiceFixture()
    let requests = (0..<60).map { _ in Request<String>(scope: fixture.service.store.scope) }
    var (loads, id) = (LoadsInFlight(), 0)
    var naive: [(id: Int, request: AnyRequest)] = []
    for step in 0..<trialCount(3_000) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<5:
        let request = random.pick(requests)
        guard !naive.contains(where: { $0.request === request }) else { continue }
        id += 1
        loads.insert(.init(request: request, isAdopted: random.chance(0.5)), for: id)
        naive.append((id, request))
      case 5, 6, 7:
        let ids = naive.map(\.id).filter { _ in random.chance(0.1) }
        _ = loads.remove(ids)
        naive.removeAll { ids.contains($0.id) }
      case 8 where random.chance(0.3):
        let last = id - Int.random(in: 0..<60, using: &random)
        _ = loads.removeEnded { $0 <= last }
        naive.removeAll { $0.id <= last }
      case 9 where random.chance(0.05):
        _ = loads.take()
        naive = []
      default:
        let request = random.pick(requests)
        let isFound = loads.contains(request)
        #expect(
          isFound == naive.contains { $0.request === request }, "seed \(seed) step \(step)")
      }
      loads.checkInvariants()
    }
  }

  @Test("A load that was cancelled leaves nothing with the request that it was to load from")
  func cancelled() async {
    let fixture = ServiceFixture()
    let gate = fixture.stub.hold(.get, "/b")
    let (resource, request) = (fixture.text("a"), fixture.text("b").request(.get))
    for _ in 0..<3 {
      resource.load(using: request)
      #expect(request.isAwaited)
      resource.cancelLoad()
      #expect(!request.isAwaited)
    }
    resource.load(using: request)
    await gate.arrived()
    gate.release(with: .text("b"))
    await request.completed()
    #expect(resource.content == "b")
  }

  @Test("Nor does one that the response to a newer load has ended")
  func superseded() async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/a", .text("newer"))
    let gate = fixture.stub.hold(.get, "/b")
    let (resource, request) = (fixture.text("a"), fixture.text("b").request(.get))
    resource.load(using: request)
    await gate.arrived()
    _ = try await resource.load().value()
    #expect(!request.isAwaited)
    gate.release(with: .text("older"))
    await request.completed()
    #expect(resource.content == "newer")
  }
}
