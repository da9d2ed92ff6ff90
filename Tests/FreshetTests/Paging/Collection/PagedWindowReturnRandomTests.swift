import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A window that moves over a list that does not change", .standardTimeLimit)
struct PagedWindowReturnRandomTests {
  @Test(
    "With empty pages and totals, it is a part of the list, loses no end, and requests each page once",
    arguments: StoreActor.allCases)
  func moves(actor: StoreActor) async throws {
    await actor.run { actor in
      for seed in 1...trialCount(100 as UInt64) {
        var random = SeededGenerator(seed: seed)
        var rows: [Int] = []
        let pages = (0..<Int.random(in: 2...8, using: &random)).map { _ in
          let count = random.pick([0, 0, 1, 2])
          let page = Array(rows.count..<rows.count + count)
          rows += page
          return page
        }
        let total = rows.count
        let stub = StubTransport(numbered: { page in
          let next = page < pages.count ? "\"/rows?page=\(page + 1)\"" : "null"
          return .json("{\"items\":\(pages[page - 1]),\"total\":\(total),\"next\":\(next)}")
        })
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
        var options = PagedCollection<Int>.Options()
        options.retainedPageLimit = random.pick([1, 2, 3])
        options.allowsRepeatedPages = random.chance(0.5)
        options.prefetchDistance = random.pick([0, 1])
        let list = service.pages(
          "rows", of: Int.self, style: .nextURL(at: "next").items(at: "items"), options: options)
        var script = ["\(pages), \(options)"]
        for _ in 0..<20 {
          switch Int.random(in: 0..<6, using: &random) {
          case 0...1 where !list.items.isEmpty:
            let index = Int.random(in: list.items.indices, using: &random)
            script.append("shown \(index)")
            list.itemShown(at: index)
          case 2: script.append("more"); list.loadMore()
          case 3: script.append("all"); list.loadAll()
          default: script.append("previous"); list.loadPreviousPage()
          }
          await list.settled()
          let first = list.firstItemIndex
          let isPart = rows.dropFirst(first).starts(with: list.items)
          let isEnd = list.state != .ended || first + list.items.count == rows.count
          let asked = stub.requests.map(\.url)
          guard isPart, isEnd, Set(asked).count == asked.count else {
            Issue.record("seed \(seed): \(list), \(list.items), \(asked)\n\(script)")
            return
          }
        }
      }
    }
  }
}
