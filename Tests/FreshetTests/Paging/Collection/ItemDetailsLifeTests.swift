import FreshetTesting
import Testing

@testable import Freshet

@Suite("What edits of items and their resources capture is released", .standardTimeLimit)
struct ItemDetailsLifeTests {
  @Test("Once an edit has ended, what it captures is released", arguments: [true, false])
  @MainActor func release(isCommitted: Bool) async throws {
    let fixture = ItemDetailsFixture()
    await fixture.loadAll()
    weak var captured: Owner?
    func edit(_ make: (@escaping (inout Row) -> Void) -> ContentUpdate?) {
      let owner = Owner()
      captured = owner
      let update = make {
        _ = owner
        $0.value += 1
      }
      isCommitted ? update?.commit() : update?.rollBack()
    }
    edit { fixture.list.update(id: 4, $0) }
    #expect(captured == nil, "of an item without a resource")
    let row = fixture.details[4]
    edit { fixture.list.update(id: 4, $0) }
    #expect(captured == nil, "of an item")
    edit { row.updateContent($0) }
    #expect(captured == nil, "of a resource")
  }

  @Test("What an edit captures may edit the resource at its end", arguments: StoreActor.allCases)
  func editAtEnd(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = ItemDetailsFixture()
      await fixture.loadAll()
      let row = fixture.details[4]
      func edit() -> ContentUpdate? {
        let probe = DeinitProbe { row.updateContent { $0.value += 1 } }
        return row.updateContent {
          _ = probe
          $0.value = 5
        }
      }
      edit()?.commit()
      row.load()
      await fixture.respond(to: "rows/4")
      #expect(row.content?.value == 41 && fixture.value(4) == 41)
    }
  }

  @Test("What an edit captures may edit the item at its end", arguments: StoreActor.allCases)
  func editOfItemAtEnd(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = ItemDetailsFixture(60)
      await fixture.loadAll()
      let list = fixture.list
      func edit(_ id: Int) -> ContentUpdate? {
        let probe = DeinitProbe { list.update(id: id) { $0.value += 1 }?.commit() }
        return list.update(id: id) {
          _ = probe
          $0.value = 5
        }
      }
      for id in 40...60 { edit(id)?.commit() }
      // Enough for the link to forget what has ended.
      let rows = (1...30).map { fixture.details[$0] }
      #expect(rows.count == 30)
      #expect((40...60).allSatisfy { fixture.value($0) == 6 })
    }
  }

  @Test("A resource of another service is refused, because its loads are numbered otherwise")
  func otherService() async throws {
    await #expect(processExitsWith: .failure) {
      await StoreActor.plainActor.run { _ in
        let (fixture, other) = (ServiceFixture(), ServiceFixture())
        let list = fixture.service.pages("rows", of: Row.self)
        _ = list.details { other.service.resource("rows/\($0)", of: Row.self) }[1]
      }
    }
  }
}
