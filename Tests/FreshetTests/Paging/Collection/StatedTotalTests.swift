import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Totals that a style of one's own reads", .standardTimeLimit)
struct StatedTotalTests {
  @Test("The smallest total stops no list")
  func smallest() async throws {
    await #expect(processExitsWith: .success) {
      await StoreActor.mainActor.run { actor in
        let stub = StubTransport()
        stub.on(.get, "/items", .json(#"{"items": [1], "size": -9223372036854775808}"#))
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        let page: Resource<Page<Int>> = service.resource("items", decoder: .page(.auto))
        page.overrideLocalContent(Page(items: [1], totalCount: .min))
        let list = PagedCollection(firstPage: page)
        list.loadIfNeeded()
        _ = list.placeholderCounts
      }
    }
  }
}
