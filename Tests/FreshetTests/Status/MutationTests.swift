import FreshetTesting
import Observation
import Testing

@testable import Freshet

@Suite("Changes with optimistic edits", .standardTimeLimit)
struct MutationTests {
  @Test("An accepted change commits its edits, then invalidates", arguments: StoreActor.allCases)
  func success(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]])
      await fixture.loadAll()
      let other = fixture.service.resource("other", of: String.self)
      other.overrideLocalContent("one")
      let gate = fixture.stub.hold(.put, "/change")
      let change = Mutation<String>()
      let request = change.begin(
        fixture.service.resource("change", of: String.self).request(.put),
        edits: [fixture.list.insert(7, at: 0), other.updateContent { $0 += "!" }, nil]
      ) { other.invalidate() }
      #expect(change.isPending)
      #expect(fixture.list.items == [7, 1, 2, 3] && other.content == "one!")
      gate.release(with: .text("done"))
      await request.completed()
      #expect(!change.isPending && change.latestError == nil && change.content == "done")
      #expect(fixture.list.items == [7, 1, 2, 3] && other.content == "one!")
      #expect(!other.isUpToDate)
    }
  }

  @Test("An error stays until it is cleared, and content does", arguments: StoreActor.allCases)
  func clearedError(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.put, "/change", .status(409), .text("done"))
      let change = Mutation<String>()
      let tracked = Locked(0)
      await change.begin(fixture.text("change").request(.put)).completed()
      withObservationTracking {
        #expect(change.latestError?.status == 409)
      } onChange: {
        tracked.withLock { $0 += 1 }
      }
      change.clearError()
      #expect(change.latestError == nil && tracked.withLock { $0 } == 1)
      await change.begin(fixture.text("change").request(.put)).completed()
      change.clearError()
      #expect(change.content == "done" && change.latestError == nil)
    }
  }

  @Test("Each item has a mutation of its own, which stays the same", arguments: StoreActor.allCases)
  func items(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3]]) { $0.identity = ItemIdentity { $0 } }
      await fixture.loadAll()
      let gates = [1, 2].map { fixture.stub.hold(.delete, "/items/\($0)") }
      let deletions = ItemMutations<Int, NoContent>()
      for id in [1, 2] {
        deletions[id].begin(
          fixture.service.request(.delete, "items/\(id)"),
          edits: [fixture.list.remove(identifiedBy: id)])
      }
      #expect(fixture.list.items == [3] && deletions[1].isPending && deletions[2].isPending)
      #expect(!deletions[3].isPending && deletions[1] === deletions[1])
      gates[0].release(with: .status(409))
      await deletions[1].settled()
      #expect(fixture.list.items == [1, 3] && deletions[1].latestError?.status == 409)
      #expect(deletions[2].isPending && deletions[2].latestError == nil)
      gates[1].release(with: .status(204))
      await deletions[2].settled()
      #expect(fixture.list.items == [1, 3] && deletions[2].latestError == nil)
      #expect(
        "\(deletions)".contains("ItemMutations") && Mirror(reflecting: deletions).children.isEmpty)
    }
  }

  @Test("A refused or cancelled change rolls all of its edits back", arguments: StoreActor.allCases)
  func failure(actor: StoreActor) async {
    await actor.run { actor in
      for isCancelled in [false, true] {
        let fixture = PageListFixture([[1, 2], [3]])
        await fixture.loadAll()
        let gate = fixture.stub.hold(.put, "/change")
        let other = fixture.service.resource("other", of: String.self)
        other.overrideLocalContent("one")
        let change = Mutation<String>()
        let request = change.begin(
          fixture.service.resource("change", of: String.self).request(.put),
          edits: [
            fixture.list.insert(7, at: 0), other.updateContent { $0 += "!" },
            other.updateContent { $0 += "?" },
          ]
        ) { Issue.record("a change that failed invalidates nothing") }
        #expect(other.content == "one!?")
        if isCancelled { change.cancel() } else { gate.release(with: .status(409)) }
        await request.completed()
        #expect(!change.isPending)
        #expect(change.latestError?.kind == (isCancelled ? nil : .http))
        #expect(fixture.list.items == [1, 2, 3] && other.content == "one")
      }
    }
  }

  @Test("It is settled when the last of its changes has ended", arguments: StoreActor.allCases)
  func settled(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let gates = (0..<3).map { fixture.stub.hold(.put, "/\($0)") }
      let change = Mutation<NoContent>()
      await change.settled()
      for path in 0..<3 { change.begin(fixture.service.request(.put, "\(path)")) }
      for (index, gate) in gates.enumerated() { gate.release(with: .status(200 + index * 101)) }
      await change.settled()
      #expect(!change.isPending)
      // Another that is begun when the first has ended is waited for too.
      let again = fixture.stub.hold(.put, "/again")
      change.begin(fixture.service.request(.put, "3")) {
        change.begin(fixture.service.request(.put, "again"))
        again.release(with: .status(204))
      }
      fixture.stub.on(.put, "/3", .status(204))
      await change.settled()
      #expect(!change.isPending && change.content == NoContent())
      #expect(fixture.stub.count(.put, "/again") == 1)
    }
  }

  @Test("A task that begins to wait in a hook of the request waits until the change has ended too")
  @MainActor func settledInHook() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let fixture = ServiceFixture()
    fixture.stub.on(.put, "/a", .status(204))
    let change = Mutation<NoContent>()
    var wait: Task<Bool, Never>?
    let request = fixture.service.request(.put, "a").onSuccess { _ in
      wait = Task.immediate {
        await change.settled()
        return change.isPending
      }
      #expect(change.isPending)
    }
    change.begin(request)
    await request.completed()
    #expect(await wait?.value == false)
  }

  @Test("A cancelled task waits no longer for it, and the change continues")
  @MainActor func settledCancelled() async {
    let fixture = ServiceFixture()
    let gate = fixture.stub.hold(.put, "/a")
    let change = Mutation<NoContent>()
    let request = change.begin(fixture.service.request(.put, "a"))
    let wait = Task { await change.settled() }
    await gate.arrived()
    wait.cancel()
    await wait.value
    #expect(change.isPending)
    gate.release(with: .status(204))
    _ = try? await request.value()
    #expect(!change.isPending)
  }

  @Test(
    "A mutation that is released while its change is pending ends its edits",
    arguments: StoreActor.allCases)
  func released(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.put, "/a")
      let resource = fixture.text("a")
      resource.overrideLocalContent("one")
      var change: Mutation<String>? = Mutation()
      weak let watched = change
      let request = change?.begin(
        resource.request(.put), edits: [resource.updateContent { $0 += "!" }])
      change = nil
      #expect(watched == nil && resource.content == "one!")
      gate.release(with: .status(500))
      await request?.completed()
      #expect(resource.content == "one")
    }
  }

  @Test("A change is cancelled once everything is released", arguments: StoreActor.allCases)
  func releasedWithService(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let gate = stub.hold(.post, "/a")
      var service: Service? = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      var change: Mutation<String>? = Mutation()
      if let service { change?.begin(service.resource("a", of: String.self).request(.post)) }
      await gate.arrived()
      #expect(change?.isPending == true)
      (service, change) = (nil, nil)
      #expect(await soon { gate.isCancelled })
    }
  }

  @Test("Its properties are tracked", arguments: StoreActor.allCases)
  func tracked(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.put, "/a", .status(500), .text("done"))
      let change = Mutation<String>()
      let notified = Locked<[String]>([])
      func track(_ name: String, _ read: @escaping () -> Void) {
        withObservationTracking(read) { notified.withLock { $0.append(name) } }
      }
      for expected in [
        ["isPending", "isPending", "latestError"],
        ["isPending", "latestError", "isPending", "content"],
      ] {
        track("isPending") { _ = change.isPending }
        track("latestError") { _ = change.latestError }
        track("content") { _ = change.content }
        let request = change.begin(fixture.text("a").request(.put))
        track("isPending") { _ = change.isPending }
        await request.completed()
        #expect(notified.withLock { Set($0) } == Set(expected))
        notified.withLock { $0 = [] }
      }
    }
  }
}
