import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("An edit changes nothing but the content that it is given", .standardTimeLimit)
struct EditPreconditionTests {
  private static func message(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  private static let reason =
    "an edit of GET https://api.test/a changes that resource; an edit may read it and change "
    + "nothing but the content that it is given"

  @Test("What edits make is held only while a change is made", arguments: StoreActor.allCases)
  func nothingIsKept(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      let gate = fixture.stub.hold(.get, "/a")
      let load = resource.load()
      resource.updateContent { $0 += "!" }?.commit()
      let pending = resource.updateContent { $0 += "?" }
      for _ in 0..<10 {
        #expect(resource.acceptedContent != nil && resource.content(before: .max) != nil)
      }
      #expect(fixture.service.store.appliedEdits.results.isEmpty)
      gate.release(with: .text("two"))
      await load.completed()
      #expect(resource.content == "two!?" && fixture.service.store.appliedEdits.results.isEmpty)
      pending?.rollBack()
      #expect(fixture.service.store.appliedEdits.results.isEmpty)
    }
  }

  @Test("An edit that loads its resource stops the program and says why")
  func loads() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await editing { $0.load() }
    }
    #expect(Self.message(result).contains(Self.reason))
  }

  @Test("An edit that may load its resource stops the program also while there is a load to join")
  func loadsIfNeeded() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await editing { $0.loadIfNeeded() }
    }
    #expect(Self.message(result).contains(Self.reason))
  }

  @Test("An edit that invalidates its resource stops the program and says why")
  func invalidates() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await editing { $0.invalidate() }
    }
    #expect(Self.message(result).contains(Self.reason))
  }

  @Test("An edit that cancels the load of its resource stops the program and says why")
  func cancels() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await editing { $0.cancelLoad() }
    }
    #expect(Self.message(result).contains(Self.reason))
  }

  @Test("An edit that writes or wipes its resource stops the program and says why")
  func writes() async {
    for result in [
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: { await editing { $0.overrideLocalContent("mine") } }),
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: { await editing { $0.wipe() } }),
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: { await editing { $0.updateContent { $0 += "?" } } }),
    ] {
      #expect(Self.message(result).contains(Self.reason))
    }
  }

  @Test("An edit that loads its resource when its content is read stops the program")
  func loadsWhenRead() async {
    for result in [
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: {
          await loadingLater { resource, _ in _ = resource.content(before: .max) }
        }),
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: {
          await loadingLater { resource, update in
            resource.load()
            update.commit()
            _ = resource.acceptedContent
          }
        }),
    ] {
      #expect(Self.message(result).contains(Self.reason))
    }
  }

  @Test(
    "An edit that loads its resource when it is made in a list, or of an item, stops the program",
    arguments: [true, false], [1, 2, 3])
  func loadsInList(startsInList: Bool, call: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [startsInList, call] in
      await StoreActor.mainActor.run { _ in
        let fixture = ItemDetailsFixture()
        await fixture.loadAll()
        let row = fixture.details[4]
        var calls = 0
        let edit: (inout Row) -> Void = { [unowned row] in
          calls += 1
          if calls == call { row.load() }
          $0.value = 1
        }
        _ = startsInList ? fixture.list.update(id: 4, edit) : row.updateContent(edit)
        fixture.list.pages[1].load()
        await fixture.respond(to: "page=2")
      }
    }
    #expect(Self.message(result).contains("an edit of GET https://api.test/rows/4 changes that"))
  }

  @Test("An edit may read its resource, and load another one", arguments: StoreActor.allCases)
  func othersAreFree(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/b", .text("b"))
      let (resource, other) = (fixture.text("a"), fixture.text("b"))
      resource.overrideLocalContent("base")
      resource.updateContent { [unowned resource] in
        other.load()
        $0 += " \(resource.isLoading) \(resource.isUpToDate) \(resource.content ?? "")"
      }
      #expect(resource.content == "base false true base")
      await other.loadIfNeeded()?.completed()
      #expect(other.content == "b")
    }
  }
}

/// Edits a resource with something that changes it, while a load is in flight.
private func editing(
  _ change: @escaping @Sendable (Resource<String>) -> Void
) async {
  await StoreActor.plainActor.run { actor in
    let fixture = ServiceFixture()
    let gate = fixture.stub.hold(.get, "/a")
    let resource = fixture.text("a")
    resource.overrideLocalContent("base")
    resource.load()
    await gate.arrived()
    resource.updateContent { [unowned resource] in
      $0 += "!"
      change(resource)
    }
  }
}

/// Edits a resource with something that loads it when it is called for the second time.
private func loadingLater(
  _ read: @escaping @Sendable (_ resource: Resource<String>, _ update: ContentUpdate) -> Void
) async {
  await StoreActor.plainActor.run { _ in
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/a", .text("a"))
    let resource = fixture.text("a")
    resource.overrideLocalContent("base")
    var calls = 0
    let update = resource.updateContent { [unowned resource] in
      calls += 1
      if calls == 2 { resource.load() }
      $0 += "!"
    }
    if let update { read(resource, update) }
  }
}
