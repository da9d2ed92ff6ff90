import FreshetTesting
import Testing

@testable import Freshet

@Suite("Resources and lists as asynchronous sequences", .standardTimeLimit)
struct AsyncSequenceTests {
  @Test("Every event comes, in order, however late it is read", arguments: StoreActor.allCases)
  func events(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"), .status(500))
      let resource = fixture.text("a")
      var events = resource.events.makeAsyncIterator()
      await resource.load().completed()
      await resource.load().completed()
      var read: [String] = []
      for _ in 0..<5 { read.append("\(await events.next(isolation: actor), default: "end")") }
      #expect(
        read == ["observerAdded", "requested", "newData(network)", "requested", "error"])
    }
  }

  @Test("Values begin with the present content, and are the newest", arguments: StoreActor.allCases)
  func values(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      var none = resource.values.makeAsyncIterator()
      resource.overrideLocalContent("one")
      var values = resource.values.makeAsyncIterator()
      #expect(await values.next(isolation: actor) == "one")
      resource.overrideLocalContent("two")
      resource.overrideLocalContent("three")
      #expect(await values.next(isolation: actor) == "three")
      #expect(await none.next(isolation: actor) == "three")
    }
  }

  @Test("A value that is wiped before it is read does not come", arguments: StoreActor.allCases)
  func wipedValues(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      let values = resource.values
      resource.overrideLocalContent("secret")
      resource.wipe()
      let unread = Task { () -> String? in
        var values = values.makeAsyncIterator()
        return await values.next(isolation: actor)
      }
      for _ in 0..<1000 { await Task.yield() }
      resource.overrideLocalContent("new")
      #expect(await unread.value == "new")
      // In the event, while a task waits for the value.
      let later = resource.values
      let waiting = Task { () -> String? in
        var values = later.makeAsyncIterator()
        _ = await values.next(isolation: actor)
        return await values.next(isolation: actor)
      }
      for _ in 0..<1000 { await Task.yield() }
      let token = resource.observe { resource, _ in
        if resource.content == "secret" { resource.wipe() }
      }
      resource.overrideLocalContent("secret")
      for _ in 0..<1000 { await Task.yield() }
      resource.overrideLocalContent("newer")
      #expect(await waiting.value == "newer")
      withExtendedLifetime(token) {}
    }
  }

  @Test(
    "Content that an observer wipes in its event is a cancelled load, also for an adopted request",
    arguments: StoreActor.allCases)
  func wipedInEvent(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("secret"))
      let resource = fixture.text("a")
      let token = resource.observe { resource, event in
        if event == .newData(.network) { resource.wipe() }
      }
      await #expect { try await resource.freshContent() } throws: { isCancellation($0) }
      await #expect { try await resource.reload() } throws: { isCancellation($0) }
      token.cancel()
      // As a wipe during the load.
      let gate = fixture.stub.hold(.get, "/a")
      let during = Task {
        _ = actor
        return try await resource.reload()
      }
      await gate.arrived()
      resource.wipe()
      await #expect { try await during.value } throws: { isCancellation($0) }
      let other = fixture.stub.hold(.put, "/a")
      resource.load(using: resource.request(.put))
      let adopted = Task {
        _ = actor
        return try await resource.freshContent()
      }
      await other.arrived()
      for _ in 0..<100 { await Task.yield() }
      resource.wipe()
      other.release(with: .text("secret"))
      await #expect { try await adopted.value } throws: { isCancellation($0) }
    }
  }

  @Test(
    "A reader that does not read holds the newest value alone, and delays no observer",
    arguments: StoreActor.allCases)
  func slowReader(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.service.resource("a", decoder: ProbedContent.decoder)
      let values = resource.values
      var received = 0
      let token = resource.observe { _, _ in received += 1 }
      let before = received
      var alive = 0
      for _ in 0..<100 {
        alive += 1
        resource.overrideLocalContent(ProbedContent(DeinitProbe { alive -= 1 }))
      }
      #expect(alive == 1 && received == before + 100)
      withExtendedLifetime((values, token)) {}
    }
  }

  @Test("A sequence ends with its resource, and does not keep it", arguments: StoreActor.allCases)
  func sourceEnds(actor: StoreActor) async {
    await actor.run { actor in
      var fixture: ServiceFixture? = ServiceFixture()
      var resource = fixture?.text("a")
      weak let watched = resource
      var values = resource?.values.makeAsyncIterator()
      resource?.overrideLocalContent("one")
      (resource, fixture) = (nil, nil)
      #expect(watched == nil)
      #expect(await values?.next(isolation: actor) == "one")
      #expect(await values?.next(isolation: actor) == nil)
    }
  }

  @Test(
    "Fresh content is of a load that began after the last invalidation",
    arguments: StoreActor.allCases)
  func invalidatedLoad(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      let gate = fixture.stub.hold(.get, "/a")
      resource.load()
      await gate.arrived()
      resource.invalidate()
      fixture.stub.on(.get, "/a", .text("after"))
      gate.release(with: .text("before"))
      #expect(await (try? resource.freshContent()) == "after")
      #expect(resource.isUpToDate)
    }
  }

  @Test("A task that ends, or drops its sequence, observes no more", arguments: StoreActor.allCases)
  func consumerEnds(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      var stream: AsyncStream<ResourceEvent>? = resource.events
      #expect(resource.isObserved)
      _ = stream
      stream = nil
      #expect(!resource.isObserved)
      let values = resource.values
      let task = Task { for await _ in values {} }
      task.cancel()
      await task.value
      #expect(!resource.isObserved)
      resource.overrideLocalContent("one")
      #expect(resource.observersIfAny?.isEmpty != false)
    }
  }

  @Test(
    "Changes lead from the items at the access to the present ones", arguments: StoreActor.allCases)
  func changes(actor: StoreActor) async {
    await actor.run { actor in
      for seed in UInt64(0)..<20 {
        var random = SeededGenerator(seed: seed)
        let fixture = PageListFixture([[1, 2], [3]])
        await fixture.loadAll()
        var rows = fixture.list.items
        let (changes, snapshots) = (fixture.list.changes, fixture.list.snapshots)
        var (reader, newest) = (changes.makeAsyncIterator(), snapshots.makeAsyncIterator())
        for _ in 0..<10 {
          fixture.serve((0..<3).map { _ in [Int.random(in: 0..<9, using: &random)] })
          await fixture.list.refreshAndWait()
        }
        for _ in 0..<fixture.mirror.changeCount {
          await reader.next(isolation: actor)?.apply(to: &rows)
        }
        #expect(rows == fixture.list.items, "seed \(seed)")
        #expect(await newest.next(isolation: actor) == fixture.list.items, "seed \(seed)")
      }
    }
  }

  @Test(
    "Changes that are asked for within an event lead from the items at the access",
    arguments: StoreActor.allCases)
  func changesWithinDelivery(actor: StoreActor) async {
    typealias Copy = (rows: [Int], changes: AsyncStream<PagedChange<Int>>)
    await actor.run { actor in
      /// Edits a list, also in its own events, and begins to copy it there.
      func copies(
        _ seed: UInt64, isolation: isolated any Actor = #isolation
      ) async -> (copies: [Copy], items: [Int]) {
        var random = SeededGenerator(seed: seed)
        let fixture = PageListFixture([[1, 2, 3], [4, 5]])
        await fixture.loadAll()
        var (copies, edits, count): ([Copy], [ContentUpdate], Int) = ([], [], 10)
        func edit(_ list: PagedCollection<Int>) {
          if !edits.isEmpty, random.chance(0.4) {
            return edits.remove(at: Int.random(in: edits.indices, using: &random)).rollBack()
          }
          count += 1
          let index = Int.random(in: 0...list.items.count, using: &random)
          if let edit = list.insert(count, at: index) { edits.append(edit) }
        }
        let token = fixture.list.observe { list, event in
          guard case .itemsChanged = event, copies.count < 6 else { return }
          if random.chance(0.7) { edit(list) }
          copies.append((list.items, list.changes))
          if random.chance(0.7) { edit(list) }
        }
        for _ in 1...4 { edit(fixture.list) }
        for edit in edits { edit.commit() }
        withExtendedLifetime(token) {}
        return (copies, fixture.list.items)
      }
      var copyCount = 0
      for seed in UInt64(1)...40 {
        // The sequences end with the list.
        let (copies, items) = await copies(seed)
        copyCount += copies.count
        for (rows, changes) in copies {
          var rows = rows
          for await change in changes { change.apply(to: &rows) }
          #expect(rows == items, "seed \(seed)")
        }
      }
      #expect(copyCount > 100)
    }
  }

  @Test("Fresh content needs no request, stale content one", arguments: StoreActor.allCases)
  func freshContent(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"), .text("two"), .status(500))
      let resource = fixture.text("a")
      #expect(await (try? resource.freshContent()) == "one")
      #expect(await (try? resource.freshContent()) == "one")
      #expect(fixture.stub.requests.count == 1)
      #expect(await (try? resource.reload()) == "two")
      fixture.clock.advance(by: .seconds(31))
      await #expect(throws: ResourceError.self) { try await resource.freshContent() }
      // Too early for another request: the same error again, and the content stays.
      await #expect(throws: ResourceError.self) { try await resource.freshContent() }
      #expect(fixture.stub.requests.count == 3)
      #expect(resource.content == "two")
    }
  }

  @Test("A local write in the place of a load is fresh content", arguments: StoreActor.allCases)
  func localWrite(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      _ = fixture.stub.hold(.get, "/a")
      let (resource, owner) = (fixture.text("a"), Owner())
      resource.addObserver(owner: owner) { resource, event in
        if case .requested = event { resource.overrideLocalContent("local") }
      }
      #expect(await (try? resource.freshContent()) == "local")
    }
  }

  @Test("To refresh a list and wait returns how it ended", arguments: StoreActor.allCases)
  func refreshed(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]])
      await fixture.loadAll()
      fixture.serve([[7], [8]])
      #expect(await fixture.list.refreshAndWait() == .idle)
      #expect(fixture.list.items == [7, 8])
      fixture.fail(1)
      guard case .failed = await fixture.list.refreshAndWait() else {
        Issue.record("\(fixture.list.refreshState)")
        return
      }
    }
  }
}

private func isCancellation(_ error: any Error) -> Bool {
  (error as? ResourceError)?.kind == .cancelled
}
