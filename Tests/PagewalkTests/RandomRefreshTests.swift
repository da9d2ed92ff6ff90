import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Refreshing a list that changes all the time", .standardTimeLimit)
@MainActor
struct RandomRefreshTests {
  /// The numbers of a linear congruential generator: the same for a seed, and good enough here.
  private struct Numbers: Sendable {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }

    mutating func change(_ demo: DemoAPI) {
      for _ in 0..<next(below: 6) {
        let ids = demo.ids
        switch next(below: 3) {
        case 0: demo.insert(at: next(below: ids.count + 1))
        case 1 where !ids.isEmpty: demo.delete(id: ids[next(below: ids.count)])
        case _ where !ids.isEmpty: demo.edit(id: ids[next(below: ids.count)])
        default: break
        }
      }
    }
  }

  @Test(
    "The list at the end is that of a fresh walk, and the changes lead to it",
    arguments: 1...30, ["", "?after=&per_page=3", "?per_page=1"])
  func random(seed: Int, query: String) async {
    let demo = DemoAPI(seed: UInt64(seed), itemCount: seed % 13, perPage: 4)
    let before = Session()
    let plain = StubTransport { demo.respond(to: $0) }
    _ = await before.run(address + query, "--quiet", transport: plain)

    let state = Locked((numbers: Numbers(state: UInt64(seed)), walks: 0))
    let first = address + query
    let changing = StubTransport { request in
      // Requesting the first page again begins a refresh.
      if request.url.absoluteString == first {
        state.withLock { state in
          state.walks += 1
          if state.walks > 1 { state.numbers.change(demo) }
        }
      }
      return demo.respond(to: request)
    }
    let refreshed = Session()
    let status = await refreshed.run(first, "--refresh=4", "--quiet", transport: changing)
    let after = Session()
    _ = await after.run(first, "--quiet", transport: plain)

    #expect(status == .complete)
    #expect(refreshed.lines == after.lines)
    #expect(state.withLock { $0.walks } == 5)
    let inserted = refreshed.errorLines.count { $0.hasPrefix("+ ") }
    let removed = refreshed.errorLines.count { $0.hasPrefix("- ") }
    #expect(before.lines.count + inserted - removed == after.lines.count)
  }
}
