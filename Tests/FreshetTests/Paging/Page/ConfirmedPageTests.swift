import FreshetTesting
import Observation
import Testing

@testable import Freshet

/// What a page derives from header fields once a 304 has changed them.
@Suite("Pages that a 304 confirms", .standardTimeLimit) struct ConfirmedPageTests {
  private typealias Numbers = Page<Int>

  /// A style, header fields that end the list, and fields of a 304 that make it longer.
  struct Case: Sendable, CustomTestStringConvertible {
    var style: PageStyle
    var before: HTTPHeaders = [:]
    var after: HTTPHeaders
    var next: PageLink
    var recognized: PageStyle
    var testDescription: String { "\(style), \(after)" }
  }

  static let cases = [
    Case(
      style: .linkHeader, after: ["Link": "</items?page=2>; rel=next"],
      next: PageLink(.follow("/items?page=2")), recognized: .linkHeader),
    Case(
      style: .auto, before: ["Link": "</items>; rel=first"],
      after: ["Link": "</items?page=2>; rel=next"],
      next: PageLink(.follow("/items?page=2")), recognized: .linkHeader),
    Case(
      style: .auto, after: ["Link": "</items?page=2>; rel=next"],
      next: PageLink(.follow("/items?page=2")), recognized: .linkHeader),
    Case(
      style: .header("X-Next-Page"), after: ["X-Next-Page": "/items?page=2"],
      next: PageLink(.follow("/items?page=2")), recognized: .header("X-Next-Page")),
    Case(
      style: .token(inHeader: "X-Token", query: "page"), before: ["X-Token": ""],
      after: ["X-Token": "2"], next: PageLink(.query("page", "2")),
      recognized: .token(inHeader: "X-Token", query: "page")),
    Case(
      style: .auto, before: ["X-Page": "1", "X-Next-Page": ""],
      after: ["X-Page": "1", "X-Next-Page": "2"], next: PageLink(.query("page", "2")),
      recognized: .token(inHeader: "X-Next-Page", query: "page")),
  ]

  private static func tagged(_ headers: HTTPHeaders) -> HTTPHeaders {
    var headers = headers
    headers["ETag"] = "\"body\""
    return headers
  }

  /// A server that sends a page of `/items` once, and then confirms it; `/items?page=2` has a 3.
  private static func fixture(
    _ body: String = "[1,2]", before: HTTPHeaders = [:], after: HTTPHeaders,
    isolation: isolated any Actor = #isolation
  ) -> ServiceFixture {
    let fixture = ServiceFixture()
    fixture.stub.on(
      .get, "/items", .json(body, headers: tagged(before)), .status(304, headers: tagged(after)))
    fixture.stub.on(.get, "/items?page=2", .json("[3]"))
    return fixture
  }

  /// Loads a list that ends with its first page.
  private func loadToEnd(
    _ list: PagedCollection<Int>, on actor: isolated any Actor = #isolation
  ) async {
    list.displayedCount = .max
    list.loadIfNeeded()
    await list.settled()
    #expect(list.items == [1, 2] && list.state.description == "ended")
  }

  @Test(
    "The next link and the total come from the new fields, the items stay the same array",
    arguments: cases)
  func newLinks(test: Case) async throws {
    try await StoreActor.plainActor.run { actor in
      var after = test.after
      after["X-Total-Count"] = "3"
      let fixture = Self.fixture(before: test.before, after: after)
      let page = fixture.service.resource(
        "items", decoder: ContentDecoder<Numbers>.page(test.style))
      let before = try await page.load().value()
      #expect(before.next == nil && before.totalCount == nil)
      let recorder = fixture.record(page)
      let loaded = try await page.load().value()
      #expect(recorder.events == [.requested, .notModified])
      let now = try #require(page.content)
      #expect(now.next == test.next && now.totalCount == 3)
      #expect(now.style == test.recognized.items(at: .root))
      #expect(loaded == now, "who waits for the load gets the same")
      #expect(now.items == [1, 2])
      #expect(
        before.items.withUnsafeBufferPointer(\.baseAddress)
          == now.items.withUnsafeBufferPointer(\.baseAddress))
    }
  }

  @Test("So does the number of pages, where nothing else has changed")
  func newPageCount() async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = Self.fixture(before: ["X-Total-Pages": "2"], after: ["X-Total-Pages": "3"])
      let page = fixture.service.resource(
        "items", decoder: ContentDecoder<Numbers>.page(.pageNumber("page")))
      let before = try await page.load().value()
      #expect(before.countedPages == 2)
      let now = try await page.load().value()
      #expect(now.countedPages == 3 && page.content?.countedPages == 3)
      #expect(now == before)
    }
  }

  @Test(
    "Views and readers of the content are notified where a 304 has changed it, and nowhere else",
    arguments: UInt64(0)..<30)
  func notified(seed: UInt64) async throws {
    try await StoreActor.plainActor.run { actor in
      var random = SeededGenerator(seed: seed)
      let fixture = ServiceFixture()
      let tag = Self.tagged([:])
      fixture.stub.on(.get, "/items", .json("[1,2]", headers: tag))
      let page = fixture.service.resource(
        "items", decoder: ContentDecoder<Numbers>.page(.linkHeader))
      _ = try await page.load().value()
      var values = page.values.makeAsyncIterator()
      #expect(await values.next(isolation: actor) == page.content)
      var update: ContentUpdate?
      for step in 0..<20 {
        let before = page.content
        let wasNotified = Locked(false)
        withObservationTracking {
          _ = page.content
        } onChange: {
          wasNotified.withLock { $0 = true }
        }
        if random.chance(0.2) {
          update?.rollBack()
          update = update == nil ? page.updateContent { $0.items.append(3) } : nil
          _ = await values.next(isolation: actor)
          continue
        }
        let link = random.pick(["</a>; rel=next", "</b>; rel=next", "</c>; rel=prev"])
        fixture.stub.on(.get, "/items", .status(304, headers: Self.tagged(["Link": link])))
        _ = try await page.load().value()
        let isChanged = page.content != before
        try #require(
          wasNotified.withLock { $0 } == isChanged, "seed \(seed), step \(step)")
        if isChanged {
          #expect(await values.next(isolation: actor) == page.content, "seed \(seed), step \(step)")
        }
      }
    }
  }

  @Test(
    "Of several loads at once, the newest 304 decides the link",
    arguments: ["</items?page=3>; rel=next", "</items?page=2>; rel=next"])
  func severalAtOnce(newest: String) async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/items",
        .json("[1]", headers: Self.tagged(["Link": "</items?page=2>; rel=next"])))
      let page = fixture.service.resource(
        "items", decoder: ContentDecoder<Numbers>.page(.linkHeader))
      _ = try await page.load().value()
      // Both are about the content of the first load.
      let links = ["</items?page=9>; rel=next", newest]
      var loads: [(gate: StubTransport.Gate, request: AnyRequest)] = []
      for _ in links {
        let gate = fixture.stub.hold(.get, "/items")
        loads.append((gate, page.load()))
        await gate.arrived()
      }
      for (load, link) in zip(loads, links) {
        load.gate.release(with: .status(304, headers: Self.tagged(["Link": link])))
        await load.request.completed()
      }
      let path = try #require(newest.split(whereSeparator: { "<>".contains($0) }).first)
      #expect(page.content?.next == PageLink(.follow(String(path))))
    }
  }

  @Test("The link back moves, too, and a link that is withdrawn ends the list")
  func otherLinks() async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/items",
        .json("[1]", headers: Self.tagged(["Link": "</a>; rel=next, </b>; rel=prev"])),
        .status(304, headers: Self.tagged(["Link": "</c>; rel=prev"])))
      let page = fixture.service.resource("items", decoder: ContentDecoder<Numbers>.page(.auto))
      for _ in 0..<2 { _ = try await page.load().value() }
      #expect(page.content?.previous == PageLink(.follow("/c")))
      #expect(page.content?.next == nil)
    }
  }

  @Test(
    "Where nothing that is derived changes, the content stays the very same",
    arguments: [PageStyle.linkHeader, .auto, .offset("o"), .nextURL(at: "next")])
  func sameContent(style: PageStyle) async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = ServiceFixture()
      let link: HTTPHeaders = ["Link": "</a>; rel=next", "X-Total": "9"]
      fixture.stub.on(
        .get, "/items", .json(#"{"items":[1],"next":"/b"}"#, headers: Self.tagged(link)),
        .status(
          304, headers: Self.tagged(["X-Total": "9", "Date": "now", "Link": "</a>;rel=next"]))
      )
      let page = fixture.service.resource("items", decoder: ContentDecoder<Numbers>.page(style))
      _ = try await page.load().value()
      let before = page.box
      _ = try await page.load().value()
      #expect(page.box === before && before != nil)
    }
  }

  @Test("A link in the body stays, and only the total that the fields state moves")
  func bodyLinks() async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = Self.fixture(
        #"{"items":[1],"next":"/b"}"#, before: ["X-Total": "9"],
        after: ["X-Total": "8", "Link": "</a>; rel=next"])
      let page = fixture.service.resource(
        "items", decoder: ContentDecoder<Numbers>.page(.nextURL(at: "next")))
      for _ in 0..<2 { _ = try await page.load().value() }
      #expect(page.content?.next == PageLink(.follow("/b")))
      #expect(page.content?.totalCount == 8)
    }
  }

  /// A custom style that needs a header field and the body.
  private static let cursorStyle = PageStyle.custom("cursor") { response in
    guard let cursor = response.head.headers["X-Cursor"], !response.items.isEmpty else {
      return .init()
    }
    return .init(next: PageLink(.query("cursor", cursor)))
  }

  @Test(
    "A custom style is asked again, with a body, where a 304 has changed header fields",
    arguments: StoreActor.allCases)
  func customStyle(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let grown = Self.tagged(["X-Cursor": "2"])
      fixture.stub.on(
        .get, "/items", .json("[1,2]", headers: Self.tagged([:])), .status(304, headers: grown),
        .json("[1,2]", headers: grown), .status(304, headers: grown))
      fixture.stub.on(.get, "/items?cursor=2", .json("[3]"))
      let list = fixture.service.pages("items", of: Int.self, style: Self.cursorStyle)
      await loadToEnd(list)
      list.refresh()
      await list.settled()
      #expect(list.items == [1, 2, 3] && list.state.description == "ended")
      let conditions = { fixture.stub.requests.map { $0.headers["If-None-Match"] } }
      #expect(conditions() == [nil, "\"body\"", nil, nil])
      // The fields are those of the page now.
      _ = try? await list.firstPage.load().value()
      #expect(conditions() == [nil, "\"body\"", nil, nil, "\"body\""])
    }
  }

  @Test(
    "It is not, where the fields say nothing of the list",
    arguments: [
      ["Set-Cookie": "a=2"], ["X-Request-ID": "2"], ["X-RateLimit-Remaining": "8"],
      ["X-Response-Time": "2ms", "X-Envoy-Upstream-Service-Time": "2"],
      ["Date": "later", "CF-Ray": "2", "Server-Timing": "db;dur=2"],
      ["X-Cursor": "1", "X-Cursor": "2"],
    ] as [HTTPHeaders])
  func customStyleConfirmed(after: HTTPHeaders) async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = Self.fixture(before: ["X-Cursor": "1", "X-Cursor": "2"], after: after)
      let page = fixture.service.resource(
        "items", decoder: ContentDecoder<Numbers>.page(Self.cursorStyle))
      _ = try await page.load().value()
      let before = page.box
      _ = try await page.load().value()
      #expect(page.box === before && before != nil)
      #expect(fixture.stub.requests.count == 2)
    }
  }

  @Test("Optimistic updates stay on top of the new links")
  func updates() async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = Self.fixture(after: ["Link": "</items?page=2>; rel=next"])
      let page = fixture.service.resource(
        "items", decoder: ContentDecoder<Numbers>.page(.linkHeader))
      _ = try await page.load().value()
      let update = page.updateContent { $0.items.append(9) }
      _ = try await page.load().value()
      #expect(page.content?.items == [1, 2, 9])
      #expect(page.content?.next == PageLink(.follow("/items?page=2")))
      update?.rollBack()
      #expect(page.content?.items == [1, 2])
      #expect(page.content?.next == PageLink(.follow("/items?page=2")))
    }
  }

  @Test("A field that claims more in no known way is an error, not an end")
  func unknown() async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = Self.fixture(after: ["X-Next-Page": "7"])
      let page = fixture.service.resource("items", decoder: ContentDecoder<Numbers>.page(.auto))
      _ = try await page.load().value()
      let error = try #require(await page.load().failure())
      #expect(error.kind == .decoding && error.message.contains("X-Next-Page"))
      #expect(page.content?.items == [1, 2] && page.latestError != nil)
    }
  }

  @Test(
    "A list that has grown after a page that is confirmed continues", arguments: StoreActor.allCases
  )
  func list(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Self.fixture(
        after: ["Link": "</items?page=2>; rel=next", "X-Total": "3"])
      let list = fixture.service.pages("items", of: Int.self)
      await loadToEnd(list)
      list.refresh()
      await list.settled()
      #expect(list.items == [1, 2, 3] && list.state.description == "ended")
      #expect(list.totalCount == 3)
    }
  }

  @Test("A list is notified of a load by any user", arguments: StoreActor.allCases)
  func otherLoad(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = Self.fixture(after: ["Link": "</items?page=2>; rel=next"])
      let list = fixture.service.pages("items", of: Int.self, style: .linkHeader)
      let mirror = ListMirror<Int>()
      list.addObserver(mirror)
      await loadToEnd(list)
      mirror.forget()
      _ = try await list.firstPage.load().value()
      await list.settled()
      #expect(list.items == [1, 2, 3] && list.state.description == "ended")
      #expect(mirror.failure == nil && mirror.states == ["loading", "ended"])
    }
  }

  @Test("A query continues after a page that is confirmed", arguments: StoreActor.allCases)
  func query(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = Self.fixture(after: ["Link": "</items?page=2>; rel=next"])
      let page = fixture.service.resource("items", decoder: ContentDecoder<Numbers>.page(.auto))
      _ = try await page.load().value()
      fixture.clock.advance(by: .seconds(60))
      let query = PageQuery(firstPage: page)
      var items: [Int] = []
      let (ends, end) = AsyncStream<Never>.makeStream()
      query.itemReceived = { items.append($0) }
      query.pageCompleted = { if case .success(.next) = $0 {} else { end.finish() } }
      query.start()
      for await _ in ends {}
      #expect(items == [1, 2, 3] && query.isEnded)
    }
  }
}
