import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The order of events", .standardTimeLimit)
struct EventOrderTests {
  @Test("Nested changes have one causal order for all observers", arguments: StoreActor.allCases)
  func causalOrder(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let (a, b) = (fixture.text("a"), fixture.text("b"))
      let owner = Owner()
      var logs: [[String]] = [[], [], []]
      for index in logs.indices {
        for resource in index == 1 ? [b, a] : [a, b] {
          resource.addObserver(owner: owner) { resource, event in
            guard event != .observerAdded else { return }
            logs[index].append("\(resource.url?.path ?? "") \(event)")
            // The first observer of each changes the other one, in the middle of its event.
            guard index == 0 else { return }
            if resource === a, event == .invalidated { b.overrideLocalContent("b") }
            if resource === b, event == .newData(.localOverride) { a.wipe() }
          }
        }
      }
      a.invalidate()
      let expected = ["/a invalidated", "/b newData(localOverride)", "/a newData(wipe)"]
      #expect(logs == [expected, expected, expected])
    }
  }

  @Test("Resources and a list of them have one causal order", arguments: StoreActor.allCases)
  func listsAndResources(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/items", .json("[1]"))
      let list = fixture.service.pages("items", of: Int.self, style: .linkHeader)
      let (page, other) = (list.firstPage, fixture.text("other"))
      list.loadIfNeeded()
      await list.settled()
      let owner = Owner()
      var logs: [[String]] = [[], []]
      for index in logs.indices {
        page.addObserver(owner: owner) { _, event in
          guard event == .newData(.localOverride) else { return }
          logs[index].append("page")
          if index == 0 { other.invalidate() }
        }
        list.addObserver(owner: owner) { list, event in
          guard case .itemsChanged = event else { return }
          logs[index].append("list \(list.items)")
          if index == 0 { other.wipe() }
        }
        other.addObserver(owner: owner) { _, event in
          if event != .observerAdded { logs[index].append("\(event)") }
        }
      }
      page.overrideLocalContent(Page(items: [1, 2]))
      let expected = ["page", "list [1, 2]", "invalidated", "newData(wipe)"]
      #expect(logs == [expected, expected])
    }
  }

  @Test(
    "Outside a delivery events come before the call returns, within one after it",
    arguments: StoreActor.allCases)
  func whenEventsCome(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let (a, b) = (fixture.text("a"), fixture.text("b"))
      let recorder = fixture.record(b)
      b.invalidate()
      #expect(recorder.events == [.invalidated])
      let owner = Owner()
      var receivedWithin: Int?
      a.addObserver(owner: owner) { _, event in
        guard event == .invalidated else { return }
        b.invalidate()
        receivedWithin = recorder.events.count
      }
      a.invalidate()
      #expect(receivedWithin == 1)
      #expect(recorder.events == [.invalidated, .invalidated])
    }
  }

  @Test(
    "The state is complete before the first observer is notified", arguments: StoreActor.allCases)
  func stateIsComplete(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      let owner = Owner()
      let request = resource.load()
      var seen: [String] = []
      resource.addObserver(owner: owner) { _, event in
        guard event == .newData(.network) else { return }
        seen.append("\(resource.isLoading) \(resource.content ?? "-") \(request.isCompleted)")
      }
      request.onCompletion { _ in seen.append("hook") }
      _ = try await request.value()
      #expect(seen == ["false one true", "hook"])
    }
  }

  @Test("A long chain of reactions does not nest", arguments: StoreActor.allCases)
  func longChain(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let (a, b) = (fixture.text("a"), fixture.text("b"))
      let owner = Owner()
      var (count, depth, deepest) = (0, 0, 0)
      for (from, to) in [(a, b), (b, a)] {
        from.addObserver(owner: owner) { [unowned to] _, event in
          guard event == .invalidated, count < 100_000 else { return }
          count += 1
          depth += 1
          deepest = max(deepest, depth)
          to.invalidate()
          depth -= 1
        }
      }
      a.invalidate()
      #expect(count == 100_000)
      #expect(deepest == 1)
    }
  }

  @Test("A wide burst of reactions is delivered in order")
  func wideBurst() {
    let queue = EventQueue()
    var received: [Int] = []
    queue.post {
      for number in 0..<5_000 {
        queue.post {
          received.append(number)
          if number < 1_000 { queue.post { received.append(5_000 + number) } }
        }
      }
      #expect(received.isEmpty)
    }
    #expect(received == Array(0..<6_000))
  }

  @Test("What is posted together is delivered after the change, reactions after all of it")
  func together() {
    let queue = EventQueue()
    var received: [String] = []
    queue.together {
      queue.post {
        received.append("one")
        queue.post { received.append("reaction") }
      }
      queue.together { queue.post { received.append("two") } }
      received.append("changed")
    }
    #expect(received == ["changed", "one", "two", "reaction"])
    queue.post { received.append("later") }
    #expect(received.last == "later")
  }
}
