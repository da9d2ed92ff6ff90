import FreshetTesting
import Testing

@testable import Freshet

/// The publishers of Combine, which needs another system, are made of these.
@Suite("Closures that receive changes alone", .standardTimeLimit)
struct ChangeObservationTests {
  @Test("Each change of a content is received, and nothing else", arguments: StoreActor.allCases)
  func content(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\""]), .status(304), .status(500),
        .text("two"))
      let resource = fixture.text("a")
      var contents: [String?] = []
      let token = resource.observeContent { contents.append($0) }
      #expect(!resource.state.isLoading && contents.isEmpty)
      for _ in 1...4 { await resource.load().completed() }
      #expect(contents == ["one", "two"])
      resource.overrideLocalContent("three")
      resource.invalidate()
      resource.wipe()
      #expect(contents == ["one", "two", "three", nil])
      #expect(resource.trackedIfAny == nil)
      token.cancel()
      resource.overrideLocalContent("four")
      #expect(contents.count == 4)
    }
  }

  @Test("A page that a 304 gives another link is a change", arguments: StoreActor.allCases)
  func derived(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let tag: HTTPHeaders = ["ETag": "\"1\""]
      var linked = tag
      linked["Link"] = "</items?page=2>; rel=next"
      fixture.stub.on(
        .get, "/items", .json("[1]", headers: tag), .status(304, headers: tag),
        .status(304, headers: linked))
      let page = fixture.service.pages("items", of: Int.self, style: .linkHeader).firstPage
      var links: [PageLink?] = []
      let token = page.observeContent { links.append($0?.next) }
      for _ in 1...3 { await page.load().completed() }
      #expect(links == [nil, PageLink(.follow("/items?page=2"))])
      withExtendedLifetime(token) {}
    }
  }

  @Test("The changes of a list lead from its items to those of now", arguments: StoreActor.allCases)
  func changes(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]])
      let list = fixture.list
      var rows = list.items
      let token = list.observeChanges { $0.apply(to: &rows) }
      // One that begins in the middle of a delivery, where changes wait.
      var lateRows: [Int] = []
      var lateToken: ObservationToken?
      list.addObserver(owner: list) { list, event in
        guard case .itemsChanged = event, lateToken == nil else { return }
        list.insert(9, at: 1)
        lateRows = list.items
        lateToken = list.observeChanges { $0.apply(to: &lateRows) }
        list.insert(8, at: 0)
      }
      list.loadAll()
      await list.settled()
      #expect(list.items == [8, 1, 9, 2, 3])
      #expect(rows == list.items)
      #expect(lateRows == list.items)
      fixture.serve(2, [3, 4], next: nil)
      await list.refreshAndWait()
      #expect(list.items == [8, 1, 9, 2, 3, 4])
      #expect(rows == list.items && lateRows == list.items)
      token.cancel()
      list.reset()
      #expect(!rows.isEmpty && lateRows == list.items)
    }
  }
}
