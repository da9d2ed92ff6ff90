import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("An item of a list and its own resource are one", .standardTimeLimit)
struct ItemDetailsTests {
  @Test("The resource starts with the item, as stale content", arguments: StoreActor.allCases)
  func placeholder(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = ItemDetailsFixture()
      await fixture.loadAll()
      let row = fixture.details[4]
      #expect(row.content == Row(id: 4, value: 40))
      #expect(!row.isUpToDate && !row.isLoading)
      #expect(row === fixture.service.resource("rows/4", of: Row.self))
      row.loadIfNeeded()
      await fixture.respond(to: "rows/4")
      #expect(row.isUpToDate)
      #expect(fixture.details[9].content == nil, "the list has no such item")
    }
  }

  @Test(
    "What the resource has wiped comes back with a later load alone, of its own or of the list",
    arguments: [true, false], StoreActor.allCases)
  func wipedDetail(isOwnLoad: Bool, actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = ItemDetailsFixture()
      await fixture.loadAll()
      let row = fixture.details[4]
      row.load()
      await fixture.respond(to: "rows/4")
      // A load of the list that began before the wipe.
      fixture.list.pages[1].load()
      row.wipe()
      #expect(fixture.details[4] === row && row.content == nil)
      fixture.list.update(id: 4) { $0.value = 44 }?.rollBack()
      await fixture.respond(to: "page=2")
      #expect(fixture.details[4].content == nil)
      #expect(fixture.value(4) == 40, "the list keeps its own")
      if isOwnLoad { row.load() } else { fixture.list.pages[1].load() }
      await fixture.respond(to: isOwnLoad ? "rows/4" : "page=2")
      #expect(fixture.details[4].content?.value == 40)
    }
  }

  @Test("An edit goes with its item to another page though its resource was not asked for")
  func moved() async throws {
    try await StoreActor.mainActor.run { _ in
      let fixture = ItemDetailsFixture(7)
      await fixture.loadAll()
      let update = try #require(fixture.list.update(id: 3) { $0.value = 33 })
      fixture.server.rows.insert(Row(id: 9, value: 90), at: 0)
      fixture.list.refresh()
      for page in 1...3 { await fixture.respond(to: "page=\(page)") }
      #expect(fixture.list.pages[1].content?.items.map(\.id) == [3, 4, 5])
      #expect(fixture.value(3) == 33)
      let row = fixture.details[3]
      #expect(row.content?.value == 33)
      update.rollBack()
      #expect(fixture.value(3) == 30 && row.content?.value == 30)
    }
  }

  @Test(
    "What the resource loads reaches the list, and the reverse", arguments: StoreActor.allCases)
  func responses(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = ItemDetailsFixture()
      await fixture.loadAll()
      let row = fixture.details[4]
      var events: [String] = []
      let token = row.observe { _, event in
        events.append("row \(event), list \(fixture.value(4) ?? 0)")
      }
      fixture.list.addObserver(owner: fixture.list) { list, event in
        if case .itemsChanged = event {
          events.append("list \(fixture.value(4) ?? 0), row \(row.content?.value ?? 0)")
        }
      }
      events = []
      fixture.server.rows[3].value = 41
      row.load()
      await fixture.respond(to: "rows/4")
      #expect(fixture.value(4) == 41)
      #expect(
        events == ["row requested, list 40", "row newData(network), list 40", "list 41, row 41"])
      events = []
      fixture.server.rows[3].value = 42
      fixture.list.pages[1].load()
      await fixture.respond(to: "page=2")
      #expect(fixture.value(4) == 42 && row.content?.value == 42)
      #expect(
        events == ["list 42, row 42", "row newData(localOverride), list 42"]
          || events == ["row newData(localOverride), list 42", "list 42, row 42"])
      token.cancel()
    }
  }

  @Test(
    "The load that began later counts, whichever response comes last",
    arguments: StoreActor.allCases)
  func laterLoad(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = ItemDetailsFixture()
      await fixture.loadAll()
      let row = fixture.details[4]
      // A response is of the time when it is sent: the older request gets what is new to the server.
      row.load()
      fixture.list.pages[1].load()
      await fixture.respond(to: "page=2")
      fixture.server.rows[3].value = 43
      await fixture.respond(to: "rows/4")
      #expect(row.content?.value == 40 && fixture.value(4) == 40, "the page was asked for later")
      fixture.list.pages[1].load()
      row.load()
      await fixture.respond(to: "rows/4")
      #expect(row.content?.value == 43 && fixture.value(4) == 43)
      fixture.server.rows[3].value = 44
      await fixture.respond(to: "page=2")
      #expect(row.content?.value == 43 && fixture.value(4) == 43, "the row was asked for later")
      fixture.list.pages[1].load()
      await fixture.respond(to: "page=2")
      #expect(row.content?.value == 44 && fixture.value(4) == 44)
    }
  }

  @Test("An edit of either is made, committed and rolled back in both", arguments: [true, false])
  @MainActor func edits(startsInList: Bool) async throws {
    let fixture = ItemDetailsFixture()
    await fixture.loadAll()
    let row = fixture.details[4]
    func edit(_ value: Int) -> ContentUpdate? {
      startsInList
        ? fixture.list.update(id: 4) { $0.value = value } : row.updateContent { $0.value = value }
    }
    let first = try #require(edit(1))
    #expect(row.content?.value == 1 && fixture.value(4) == 1)
    let second = try #require(edit(2))
    #expect(row.content?.value == 2 && fixture.value(4) == 2)
    second.rollBack()
    #expect(row.content?.value == 1 && fixture.value(4) == 1)
    // It survives what either loads.
    fixture.server.rows[3].value = 50
    row.load()
    await fixture.respond(to: "rows/4")
    fixture.list.pages[1].load()
    await fixture.respond(to: "page=2")
    #expect(row.content?.value == 1 && fixture.value(4) == 1)
    #expect(first.isPending && !second.isPending)
    first.rollBack()
    #expect(row.content?.value == 50 && fixture.value(4) == 50)
    let third = try #require(edit(3))
    third.commit()
    #expect(row.content?.value == 3 && fixture.value(4) == 3 && !third.isPending)
  }

  @Test(
    "The resource and the pages have changed before an observer of either is notified",
    arguments: [true, false])
  @MainActor func changedTogether(observesList: Bool) async throws {
    let fixture = ItemDetailsFixture()
    await fixture.loadAll()
    let (list, row) = (fixture.list, fixture.details[4])
    var seen: [[Int?]] = []
    func look() {
      let onPage = list.pages.compactMap { $0.content?.items.first { $0.id == 4 }?.value }
      seen.append([row.content?.value, onPage.first])
      if observesList { #expect(onPage.first == fixture.value(4)) }
    }
    let observer = DeinitProbe {}
    if observesList {
      list.addObserver(owner: observer) { _, _ in look() }
    } else {
      row.addObserver(owner: observer) { _, _ in look() }
    }
    row.overrideLocalContent(Row(id: 4, value: 1))
    let edit = row.updateContent { $0.value = 2 }
    let editOfItem = list.update(id: 4) { $0.value = 3 }
    editOfItem?.rollBack()
    edit?.commit()
    row.load()
    await fixture.respond(to: "rows/4")
    #expect(seen.contains([1, 1]) && seen.contains([2, 2]) && seen.contains([3, 3]))
    #expect(seen.allSatisfy { $0[0] == $0[1] }, "\(seen)")
    withExtendedLifetime(observer) {}
  }

  @Test("A wipe of the resource ends an edit of either in both", arguments: [true, false])
  @MainActor func wipedEdit(startsInList: Bool) async throws {
    let fixture = ItemDetailsFixture()
    await fixture.loadAll()
    let row = fixture.details[4]
    let update = try #require(
      startsInList
        ? fixture.list.update(id: 4) { $0.value = 1 } : row.updateContent { $0.value = 1 })
    #expect(row.content?.value == 1 && fixture.value(4) == 1)
    row.wipe()
    #expect(!update.isPending && row.content == nil && fixture.value(4) == 40)
    row.load()
    await fixture.respond(to: "rows/4")
    #expect(row.content?.value == 40 && fixture.value(4) == 40)
  }

  @Test("A wipe ends an edit of a resource that no page shows")
  @MainActor func wipedEditBeyond() async throws {
    let fixture = ItemDetailsFixture()
    let row = await fixture.loadedRowBeyondPages()
    let update = try #require(row.updateContent { $0.value = 1 })
    #expect(row.content?.value == 1)
    fixture.service.wipe()
    #expect(!update.isPending)
    row.load()
    await fixture.respond(to: "rows/4")
    #expect(row.content?.value == 40)
  }

  @Test("A pending edit of an item reaches a resource that is asked for later")
  @MainActor func editBefore() async throws {
    let fixture = ItemDetailsFixture()
    await fixture.loadAll()
    let update = try #require(fixture.list.update(id: 4) { $0.value = 1 })
    let row = fixture.details[4]
    #expect(row.content?.value == 1)
    update.rollBack()
    #expect(row.content?.value == 40 && fixture.value(4) == 40)
  }

  @Test("A pending edit of a resource reaches a page that shows the item later")
  @MainActor func pageAfter() async throws {
    let fixture = ItemDetailsFixture()
    let row = await fixture.loadedRowBeyondPages()
    let update = try #require(row.updateContent { $0.value = 1 })
    fixture.list.loadMore()
    await fixture.respond(to: "page=2")
    #expect(fixture.value(4) == 1 && row.content?.value == 1)
    update.rollBack()
    #expect(fixture.value(4) == 40 && row.content?.value == 40)
  }

  @Test("A resource may have more content than the item")
  @MainActor func moreContent() async throws {
    let fixture = ItemDetailsFixture()
    let (list, details) = await fixture.loadedArticles()
    let article = details[4]
    #expect(article.content == Article(id: 4, value: 40, text: nil))
    article.overrideLocalContent(Article(id: 4, value: 5, text: "text"))
    #expect(list.items[3].value == 5)
    list.update(id: 4) { $0.value = 6 }
    #expect(article.content == Article(id: 4, value: 6, text: "text"))
    let update = article.updateContent { $0.value = 7 }
    #expect(list.items[3].value == 7)
    update?.rollBack()
    #expect(article.content == Article(id: 4, value: 6, text: "text") && list.items[3].value == 6)
  }

  @Test("Neither keeps the other alive")
  @MainActor func lifetime() async throws {
    let fixture = ItemDetailsFixture()
    var list: PagedCollection<Row>? = fixture.service.pages("rows?page=1", style: .linkHeader)
    let details = try #require(list).details { fixture.service.resource("rows/\($0)") }
    weak let weakList = list
    let row = details[1]
    list = nil
    #expect(weakList == nil)
    row.overrideLocalContent(Row(id: 1, value: 1))
    #expect(row.updateContent { $0.value = 2 } != nil && row.content?.value == 2)
    #expect(details[2].content == nil)
  }
}
