import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Places of edits", .standardTimeLimit)
struct HiddenItemEditTests {
  @Test("An item is put before the one at its index, also where that has no identity")
  func nilIdentity() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[1, -1], [1, -2, -3]]) {
        $0.identity = ItemIdentity { $0 < 0 ? nil : $0 }
      }
      await fixture.loadAll()
      #expect(fixture.list.items == [1, -1, -2, -3])
      fixture.list.insert(99, at: 3)
      #expect(fixture.list.items == [1, -1, -2, 99, -3])
    }
  }
}
