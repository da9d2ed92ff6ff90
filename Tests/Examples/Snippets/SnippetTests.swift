import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The code about observing, lists and changes", .standardTimeLimit)
@MainActor
struct SnippetTests {
  private let stub = StubTransport()
  private let service: Service
  private let twoPages: HTTPHeaders = ["Link": #"</gists?page=2>; rel="next""#]

  init() { service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock()) }

  // MARK: Observing

  @Test("A resource's values begin with the first content")
  func values() async {
    stub.on(
      .get, "/gists/1", .json(#"{"id": 1, "title": "a"}"#), .json(#"{"id": 1, "title": "b"}"#))
    let gist = service.resource("gists/1", of: Observing.Gist.self)
    let token = gist.observe { gist, event in
      if gist.content?.title == "a", event == .newData(.network) { gist.load() }
    }
    let titles = await Observing(service).values(of: gist)
    #expect(titles.last == "b" && titles.count <= 2)
    withExtendedLifetime(token) {}
  }

  @Test("A table applies the splices of a list, and a script reads its items")
  func table() async throws {
    stub.on(.get, "/gists", .json(#"[{"id": 1, "title": "a"}]"#, headers: twoPages))
    stub.on(.get, "/gists?page=2", .json(#"[{"id": 2, "title": "b"}]"#))
    let gists = service.pages("gists", of: Observing.Gist.self)
    let model = Observing(service)
    model.follow(gists)
    gists.loadAll()
    await gists.settled()
    #expect(model.table.rows.map(\.title) == ["a", "b"])
    #expect(model.footer(gists) == "That was all")
    try await model.script()
    #expect(stub.unexpected.isEmpty)
  }

  @Test("A position is restored, a margin follows the pages, and a selection its item")
  func positions() async {
    func rows(_ ids: Range<Int>) -> StubTransport.Response {
      let rows = ids.map { #"{"id": \#($0), "title": "a"}"# }.joined(separator: ",")
      return .json("[\(rows)]", headers: twoPages)
    }
    stub.on(.get, "/gists", rows(0..<20))
    stub.on(.get, "/gists?page=2", .json(#"[{"id": 20, "title": "a"}, {"id": 21, "title": "a"}]"#))
    let gists = service.pages("gists", of: Lists.Local.self)
    let model = Lists(service)
    model.followPages(gists)
    model.followSelection(gists)
    await model.restore(gists, at: 1)
    #expect(gists.items.count == 22)
    #expect(model.redrawn == [0..<20, 20..<22])
    model.selection = 21
    gists.insert(Lists.Local(id: 99, title: "new"), at: 3)
    #expect(model.selection == 22)
    gists.update(id: 21) { $0.title = "edited" }
    #expect(model.selection == 22)
    gists.remove(id: 21)
    #expect(model.selection == nil)
  }

  @Test("A list loads more when an item near its end is shown, and ignores one that it has not")
  func itemShown() async {
    stub.on(.get, "/gists", .json(#"[{"id": 1, "title": "a"}]"#, headers: twoPages))
    stub.on(.get, "/gists?page=2", .json(#"[{"id": 2, "title": "b"}]"#))
    let gists = service.pages("gists", of: Observing.Gist.self)
    gists.loadIfNeeded()
    await gists.settled()
    let first = gists.items[0]
    gists.reset()
    gists.itemShown(first)
    #expect(!gists.isLoading)
    gists.loadIfNeeded()
    await gists.settled()
    gists.itemShown(first)
    await gists.settled()
    #expect(gists.items.map(\.title) == ["a", "b"])
  }

  @Test("A status says what to show, and the order of the rules decides")
  func status() async {
    stub.on(.get, "/gists/1", .json(#"{"id": 1, "title": "a"}"#), .status(500))
    stub.on(.get, "/gists", .json("[]"))
    let gist = service.resource("gists/1", of: Observing.Gist.self)
    let gists = service.pages("gists", of: Observing.Gist.self)
    let model = Observing(service)
    #expect(model.message(gist, gists) == "")
    let load = gist.loadIfNeeded()
    #expect(model.message(gist, gists) == "Loading")
    model.status(of: gist, gists)
    await load?.completed()
    gists.loadIfNeeded()
    await gists.settled()
    model.status(of: gist, gists)
    await gist.load().completed()
    let error = gist.latestError?.userMessage
    #expect(model.message(gist, gists) == error)
    #expect(model.contentFirst(gist).phase == .content)
    model.status(of: gist, gists)
    #expect(model.shown == ["spinner", "content", "content", error], "the content stays")
  }

  @Test("A star is shown at once, and what it affects is invalidated")
  func star() async throws {
    stub.on(.get, "/gists/1", .json(#"{"id": 1, "title": "a"}"#))
    stub.on(.get, "/gists/starred", .json("[]"))
    stub.on(.put, "/gists/1/star", .status(204))
    let gist = service.resource("gists/1", of: Observing.Gist.self)
    let starred = service.resource("gists/starred", of: [Observing.Gist].self)
    _ = try await (gist.freshContent(), starred.freshContent())
    let star = Mutation<NoContent>()
    Observing(service).star(gist, star)
    #expect(gist.content?.isStarred == true && star.isPending)
    await gist.load().completed()
    await untilDone(star)
    #expect(gist.content?.isStarred == true && star.latestError == nil)
    #expect(!starred.isUpToDate)
  }

  // MARK: Lists

  @Test("A list is observed by its splices, and reloads what a change made stale")
  func list() async {
    stub.on(.get, "/gists", .json(#"[{"id": 1, "title": "a"}]"#))
    let model = Lists(service)
    let list = model.observed()
    await list.settled()
    #expect(list.items() == [1] && model.spliceCount == 1)
    stub.on(.patch, "/gists/1", .status(204))
    stub.on(.get, "/gists", .json(#"[{"id": 2, "title": "b"}]"#))
    model.change(["title": "b"])
    await until { list.items() != [1] }
    #expect(list.items() == [2])
  }

  @Test("A list has options, and an identity")
  func options() async {
    stub.on(.get, "/rows", .json(#"[{"key": "a"}, {"key": "b"}, {"key": "a"}]"#))
    let model = Lists(service)
    #expect(model.concurrent().options.concurrentLoads == 4)
    let rows = model.identity()
    rows.loadIfNeeded()
    await rows.settled()
    #expect(rows.items.map(\.key) == ["a", "b"])
  }

  @Test("A detail shows the list's item at once, and the list what the detail receives")
  func details() async throws {
    stub.on(.get, "/gists", .json(#"[{"id": 7, "title": "a"}]"#))
    stub.on(.get, "/gists/7", .json(#"{"id": 7, "title": "b"}"#))
    let gists = service.pages("gists", of: Lists.Local.self)
    gists.loadIfNeeded()
    await gists.settled()
    let gist = Lists(service).details(gists)
    #expect(gist.content?.title == "a")
    #expect(try await gist.reload().title == "b")
    #expect(gists.items.map(\.title) == ["b"])
  }

  @Test("A detail with more than the item keeps the rest when the list is refreshed")
  func largerDetails() async throws {
    stub.on(
      .get, "/headlines", .json(#"[{"id": 7, "title": "a"}]"#),
      .json(#"[{"id": 7, "title": "c"}]"#))
    stub.on(.get, "/articles/7", .json(#"{"id": 7, "title": "b", "text": "all"}"#))
    let headlines = service.pages("headlines", of: Lists.Headline.self)
    headlines.loadIfNeeded()
    await headlines.settled()
    let article = Lists(service).articles(headlines)[7]
    #expect(article.content == .init(id: 7, title: "a", text: nil))
    article.loadIfNeeded()
    #expect(article.isLoading)
    await article.settled()
    #expect(article.content == .init(id: 7, title: "b", text: "all"))
    #expect(headlines.items.map(\.title) == ["b"])
    await headlines.refreshAndWait()
    #expect(article.content == .init(id: 7, title: "c", text: "all"))
  }

  @Test("A script has all of a list, or says what is missing")
  func everything() async {
    let lists = Lists(service)
    stub.onPages("/gists", [[Lists.Local(id: 1, title: "a")], [Lists.Local(id: 2, title: "b")]])
    await lists.loadEverything(service.pages("gists", of: Lists.Local.self))
    stub.on(.get, "/others", .status(404))
    await lists.loadEverything(service.pages("others", of: Lists.Local.self))
    #expect(lists.reports == ["2 items", "page 1: This does not exist."])
  }

  @Test("An item is renamed first, and a refusal rolls that back")
  func rename() async {
    stub.on(.get, "/gists", .json(#"[{"id": 7, "title": "a"}]"#))
    stub.on(.patch, "/gists/7", .status(409))
    let gists = service.pages("gists", of: Lists.Local.self)
    gists.loadIfNeeded()
    await gists.settled()
    let gist = service.resource("gists/7", of: Lists.Local.self)
    Lists(service).rename(gists, gist, ["title": "Renamed"])
    #expect(gists.items.map(\.title) == ["Renamed"])
    await until { gists.items.map(\.title) == ["a"] }
  }

  @Test("A refresh does not load the pages by which a list has grown, and says that there are more")
  func grown() async {
    let demo = DemoAPI(itemCount: 40, perPage: 20)
    let service = Service(
      baseURL: "https://api.test", transport: StubTransport { demo.respond(to: $0) },
      clock: ManualClock())
    let list = service.pages("items", of: Stations.Station.self)
    list.loadAll()
    await list.settled()
    #expect(list.state == .ended && list.isEnded)
    demo.insert(at: 0)
    await list.refreshAndWait()
    #expect(list.items.count == 40 && list.state == .idle && !list.isEnded)
    list.loadMore()
    await list.settled()
    #expect(list.items.map(\.id) == demo.ids && list.state == .ended)
  }

  @Test("A pattern that the user has written gives numbered pages")
  func paginator() async throws {
    stub.on(.get, "/rows?limit=25&skip=0", .json(#"[{"key": "a"}]"#))
    let rows = try Lists(service).paginator("rows?limit=:perPage&skip=:offset")
    await rows.settled()
    #expect(rows.items.map(\.key) == ["a"])
    #expect(throws: PaginatorPattern.ParsingError.self) {
      _ = try Lists(service).paginator("rows?page=:number")
    }
  }

  // MARK: Changes

  @Test("A change is shown first, rolled back if it is refused, and its response taken over")
  func changes() async throws {
    stub.on(.get, "/notes/1", .json(#"{"id": 1, "title": "a"}"#))
    stub.on(.patch, "/notes/1", .status(409))
    stub.on(.put, "/notes/1", .json(#"{"id": 1, "title": "server's"}"#))
    let note = service.resource("notes/1", of: Changing.Note.self)
    _ = try await note.freshContent()
    let model = Changing.NoteModel(note)
    model.rename(to: "b")
    #expect(note.content?.title == "b" && model.renaming.isPending)
    await untilDone(model.renaming)
    #expect(note.content?.title == "a" && model.renaming.latestError?.status == 409)
    Changing(service).save(.init(id: 1, title: "mine"), in: note)
    #expect(try await note.freshContent().title == "server's")
  }

  @Test("Changes of one thing are shown at once, and sent one by one in the order of the calls")
  func orderedChanges() async throws {
    stub.on(.get, "/notes/1", .json(#"{"id": 1, "title": "a"}"#))
    stub.on(.patch, "/notes/1", .status(204))
    let gate = stub.hold(.patch, "/notes/1")
    let note = service.resource("notes/1", of: Changing.Note.self)
    _ = try await note.freshContent()
    let model = Changing.OrderedNoteModel(note)
    model.rename(to: "b")
    await gate.arrived()
    model.rename(to: "c")
    model.rename(to: "d")
    #expect(note.content?.title == "d")
    for _ in 0..<20 { await Task.yield() }
    #expect(stub.count(.patch, "/notes/1") == 1 && model.renaming.isPending)
    gate.release(with: .status(204))
    await until { stub.count(.patch, "/notes/1") >= 3 }
    await untilDone(model.renaming)
    let bodies = stub.requests.compactMap(\.body).map { String(decoding: $0, as: UTF8.self) }
    #expect(bodies == [#"{"title":"b"}"#, #"{"title":"c"}"#, #"{"title":"d"}"#])
    #expect(note.content?.title == "d" && model.renaming.latestError == nil)
  }

  @Test("An item is removed at once, a new one appears, and what is invalidated loads again")
  func listChanges() async {
    stub.on(
      .get, "/notes", .json(#"[{"id": 1, "title": "a"}]"#),
      .json(#"[{"id": 2, "title": "b"}]"#), .json(#"[{"id": 3, "title": "c"}]"#))
    stub.on(.patch, "/notes/1", .status(409))
    stub.on(.delete, "/notes/1", .status(204))
    stub.on(.post, "/notes", .json(#"{"id": 2, "title": "b"}"#, status: 201))
    let model = Changing(service)
    let shown = Task { await model.notes.keepLoaded() }
    await until { !model.notes.items.isEmpty }
    await model.notes.settled()
    let rows = Changing.Renamings(model)
    rows.rename(1, to: "c")
    #expect(model.notes.items.map(\.title) == ["c"] && rows.renamings[1].isPending)
    await untilDone(rows.renamings[1])
    #expect(model.notes.items.map(\.title) == ["a"])
    model.remove(1)
    #expect(model.notes.items.isEmpty)
    await untilDone(model.removal)
    #expect(model.notes.items.isEmpty && model.removal.latestError == nil)
    model.create(["title": "b"])
    await untilDone(model.creation)
    await model.notes.settled()
    #expect(model.notes.items.map(\.id) == [2])
    model.othersHaveChanged()
    await model.notes.settled()
    #expect(model.notes.items.map(\.id) == [3])
    shown.cancel()
  }

  /// Waits until a mutation has ended.
  private func untilDone<Content>(_ mutation: Mutation<Content>) async {
    await until { !mutation.isPending }
  }
}
