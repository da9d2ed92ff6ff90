import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The properties of a list agree while code of its items runs", .standardTimeLimit)
struct ConsistentItemsTests {
  /// An item that calls a closure when it is compared and when it is deallocated.
  private final class WatchedItem: Decodable, Sendable, Equatable {
    static let isUsed = Locked<(@Sendable () -> Void)?>(nil)
    let number: Int

    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
    }

    static func == (left: WatchedItem, right: WatchedItem) -> Bool {
      isUsed.withLock { $0 }?()
      return left.number == right.number
    }

    deinit { Self.isUsed.withLock { $0 }?() }
  }

  @Test("Items that are compared or deallocated see items and pages of one state")
  func comparisons() async throws {
    await StoreActor.mainActor.run { actor in
      for (limit, publication) in [
        (nil, PagedCollection<WatchedItem>.Options.Publication.asPagesArrive), (nil, .whenComplete),
        (1, .asPagesArrive), (2, .whenComplete),
      ] {
        let stub = StubTransport()
        func serve(_ pages: [[Int]]) {
          for (index, items) in pages.enumerated() {
            let next = index + 1 < pages.count ? "/items?page=\(index + 2)" : nil
            stub.on(.get, "/items?page=\(index + 1)", PageListFixture.response(items, next: next))
          }
        }
        serve([[1, 2], [3, 4], [5]])
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        var options = PagedCollection<WatchedItem>.Options()
        options.retainedPageLimit = limit
        options.publication = publication
        let list = service.pages(
          "items?page=1", of: WatchedItem.self, style: .linkHeader, options: options)
        let mirror = ListMirror<WatchedItem>()
        list.addObserver(mirror)
        list.loadAll()
        await list.settled()
        let problems = Locked<[String]>([])
        let count = Locked(0)
        nonisolated(unsafe) let watched = list
        WatchedItem.isUsed.withLock {
          $0 = {
            count.withLock { $0 += 1 }
            guard let problem = watched.inconsistency(isWhole: false) else { return }
            problems.withLock { $0.append(problem) }
          }
        }
        serve([[1, 2, 8], [3], [9, 5]])
        list.refresh()
        await list.settled()
        list.loadAll()
        await list.settled()
        list.pages.last?.updateContent { $0.items.removeAll() }
        list.reset()
        WatchedItem.isUsed.withLock { $0 = nil }
        #expect(count.withLock { $0 } > 0)
        #expect(problems.withLock { $0 } == [], "window \(String(describing: limit))")
      }
    }
  }
}
