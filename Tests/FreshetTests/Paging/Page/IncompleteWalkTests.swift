import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Lists that cannot be walked to their end", .standardTimeLimit)
struct IncompleteWalkTests {
  /// A next link that must not be followed, and the expected reason.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let link: String
    let reason: IncompleteWalk.Reason
    let advice: String
    var testDescription: String { link }
  }

  static let refusals = [
    Refusal(link: "/items?page=1", reason: .loop(backTo: 0), advice: "in a circle"),
    Refusal(link: "/items?page=2", reason: .loop(backTo: 1), advice: "in a circle"),
    Refusal(
      link: "https://other.test/items?key=secret", reason: .crossOrigin("https://other.test"),
      advice: "allow it if it is to be trusted"),
    Refusal(
      link: "https://api.test:8443/items?key=secret",
      reason: .crossOrigin("https://api.test:8443"), advice: "allow it"),
    Refusal(
      link: "http://api.test/items?key=secret", reason: .insecure, advice: "keep to https"),
    Refusal(
      link: "https://me:secret@api.test/items", reason: .unusableLink(.hasUserInfo),
      advice: "put credentials in a request header"),
    Refusal(
      link: "ftp://api.test/items?key=secret", reason: .unusableLink(.notHTTP(scheme: "ftp")),
      advice: "only http and https"),
  ]

  @Test("A refused link is incomplete, with page and reason, and no request", arguments: refusals)
  func refusedLink(refusal: Refusal) async throws {
    for actor in StoreActor.allCases {
      await actor.run { actor in
        let fixture = PageListFixture([[1], [2]])
        fixture.serve(2, [2], next: refusal.link)
        fixture.list.loadAll()
        await fixture.list.settled()
        guard case .incomplete(let walk) = fixture.list.state else {
          Issue.record("the state is \(fixture.list.state)")
          return
        }
        #expect(walk.reason == refusal.reason)
        #expect(walk.page == 1)
        #expect(walk.description.contains("page 1"))
        for text in [
          walk.description(firstPage: 1), fixture.list.state.description(firstPage: 1),
          PagedCollectionEvent<Int>.stateChanged(fixture.list.state).description(firstPage: 1),
        ] {
          #expect(text.contains("page 2"))
        }
        #expect(walk.description.contains(refusal.advice))
        #expect(!walk.description.contains("secret") && !walk.description.contains("?"))
        #expect(fixture.list.items == [1, 2])
        #expect(fixture.asked == [1, 2])
      }
    }
  }

  @Test("More pages than allowed are incomplete", arguments: StoreActor.allCases)
  func maximumPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...5).map { [$0] }) { $0.pageLimit = 3 }
      await fixture.loadAll()
      guard case .incomplete(let walk) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect(walk.reason == .pageLimit(3) && walk.page == 2)
      #expect(
        walk.description == "3 pages were loaded and there are more; raise the limit to continue")
      #expect(fixture.list.items == [1, 2, 3])
    }
  }

  @Test("One page is named as one")
  func singlePage() {
    #expect(
      IncompleteWalk.Reason.pageLimit(1).description
        == "1 page was loaded and there are more; raise the limit to continue")
  }

  @Test("As many pages as allowed are complete", arguments: StoreActor.allCases)
  func exactlyMaximumPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...3).map { [$0] }) { $0.pageLimit = 3 }
      await fixture.loadAll()
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test("When pages go, the limit lets others come", arguments: StoreActor.allCases)
  func limitIsAskedAnew(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...5).map { [$0] }) { $0.pageLimit = 4 }
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2, 3, 4])
      fixture.serve(1, [1], next: "/items?page=4")
      fixture.list.refresh()
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 4, 5])
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test("A list that was mended continues at the next refresh", arguments: StoreActor.allCases)
  func mended(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.serve(2, [2], next: "/items?page=1")
      await fixture.loadAll()
      fixture.serve([[1], [2], [3]])
      fixture.list.refresh()
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3])
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test("A link back to the first page is a loop, also where the style was recognized in it")
  func loopOfRecognizedStyle() async throws {
    await StoreActor.plainActor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", .json(#"{"results": [1], "next": "/items?page=2"}"#))
      stub.on(.get, "/items?page=2", .json(#"{"results": [2], "next": "/items"}"#))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let list = service.pages("items", of: Int.self)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2])
      #expect(list.state.description.contains("circle"))
      #expect(stub.requests.count == 2)
    }
  }

  @Test(
    "A link back is a loop however scheme and host are written, and with the default port",
    arguments: ["HTTPS://api.test/items", "//API.Test/items", "https://api.test:443/items"])
  func loopInOtherSpelling(link: String) async {
    await StoreActor.plainActor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/items", .json("[1]", headers: ["Link": "</items?page=2>; rel=next"]))
      fixture.stub.on(
        .get, "/items?page=2", .json("[2]", headers: ["Link": "<\(link)>; rel=next"]))
      let list = fixture.service.pages("items", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2] && fixture.stub.requests.count == 2)
      #expect(list.state.description.contains("circle"))
    }
  }

  @Test(
    "Another origin that is allowed is followed, without credentials",
    arguments: StoreActor.allCases)
  func allowedOrigin(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]]) { $0.allowedOrigins = ["https://other.test"] }
      fixture.service.configure { $0.headers["Authorization"] = "Bearer secret" }
      fixture.serve(1, [1], next: "https://other.test/more?page=2")
      fixture.stub.on(
        .get, "https://other.test/more?page=2",
        PageListFixture.response([2], next: "https://third.test/more"))
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2])
      #expect(fixture.stub.requests.map { $0.headers["Authorization"] } == ["Bearer secret", nil])
      guard case .incomplete(let walk) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect(walk.reason == .crossOrigin("https://third.test") && walk.page == 1)
    }
  }
}
