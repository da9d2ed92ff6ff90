import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Secrets in what is printed and dumped", .standardTimeLimit)
struct DumpSecrecyTests {
  /// Looks for the secret in every way to print a value.
  private func check(_ value: Any, isolation: isolated (any Actor)? = #isolation) {
    var dumped = ""
    dump(value, to: &dumped)
    for text in ["\(value)", String(reflecting: value), "\([value])", dumped] {
      #expect(!text.contains("s3cret"), "\(type(of: value)): \(text.prefix(300))")
    }
  }

  @Test("An authorizer and a configuration hide credentials")
  func configuration() {
    let tokens = TokenAuthorizer(token: "s3cret") { "s3cret" }
    check(tokens)
    var configuration = Service.Configuration()
    configuration.headers["Authorization"] = "s3cret"
    configuration.authorizer = tokens
    check(configuration)
  }

  private struct Signer: RequestAuthorizer {
    let secret = "s3cret"

    @concurrent
    func authorize(_ request: HTTPRequest) async throws -> HTTPRequest { request }
    @concurrent
    func renew(after request: HTTPRequest) async throws -> Bool { false }
  }

  @Test("A configuration hides what the program has put into it")
  func ownAuthorizer() {
    var configuration = Service.Configuration()
    configuration.authorizer = Signer()
    check(configuration)
  }

  @Test("A page and its links hide items and cursors")
  func pages() {
    let links = [
      PageLink(.follow("/items?token=s3cret")), PageLink(.query("cursor", "s3cret")),
      PageLink(.header("X-Token", "s3cret")),
      PageLink(.body("after", JSONText(string: "s3cret"))),
    ]
    for link in links {
      check(link)
      check(link.edits)
      check(Page(items: ["s3cret"], next: link, previous: link, style: .linkHeader))
    }
    let page = Page(items: [1, 2], next: links[0], totalCount: 9)
    #expect("\(page)" == "Page: 2 of 9 items, next")
    #expect("\(links[1])" == "PageLink(query cursor)")
  }

  @Test("A numbered page and a change of a list hide the items")
  func changes() {
    check(PaginatorPage(items: ["s3cret"]))
    let splice = PagedChange.Splice(at: 2, removing: ["s3cret"], inserting: ["s3cret", "s3cret"])
    check(splice)
    check(PagedChange([splice]))
    check(PagedCollectionEvent.itemsChanged(PagedChange([splice])))
    #expect("\(PagedChange([splice]))" == "PagedChange: [-1 +2 at 2]")
  }

  @Test(
    "The token of an observation hides what waits to be delivered", arguments: StoreActor.allCases)
  func token(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      resource.overrideLocalContent("s3cret")
      let token = resource.observe { _, _ in }
      let other = resource.observe { resource, event in
        guard case .observerAdded = event else { return }
        resource.overrideLocalContent("a")
        self.check(token)
      }
      #expect(resource.content == "a")
      withExtendedLifetime(other) {}
    }
  }

  @Test("The resources of items hide which items there are", arguments: StoreActor.allCases)
  func itemDetails(actor: StoreActor) async {
    await actor.run { actor in
      struct Row: Identifiable, Codable, Sendable { let id: String }
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/rows", .json(#"[{"id":"s3cret"}]"#))
      let list = fixture.service.pages("rows", of: Row.self)
      let details = list.details { fixture.service.resource("rows/\($0.utf8.count)", of: Row.self) }
      list.loadAll()
      await list.settled()
      let detail = details["s3cret"]
      #expect(detail.content != nil)
      check(details)
      check(detail)
    }
  }

  @Test("A mutation hides the response", arguments: StoreActor.allCases)
  func mutation(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.post, "/token", .text("s3cret"))
      let change = Mutation<String>()
      await change.begin(fixture.text("token").request(.post)).completed()
      #expect(change.content == "s3cret")
      check(change)
    }
  }

  @Test("Headers, keys and bodies hide credentials and content")
  func parts() {
    check(["Authorization": "s3cret", "Cookie": "s3cret"] as HTTPHeaders)
    check(
      ResourceKey(
        method: .post, url: "https://u:s3cret@api.test/a?token=s3cret",
        body: Data(#"{"q": "s3cret"}"#.utf8), headers: ["Authorization": "s3cret"]))
    let links = LinkHeader(["<https://api.test/a?token=s3cret>; rel=next; title=s3cret", "<s3cret"])
    check(links)
    check(links.links)
    check(links.links.flatMap(\.parameters))
    #expect("\(links)" == "LinkHeader(next)")
    check(RequestBody.text("s3cret"))
    check(RequestBody.json(["a": "s3cret"]))
  }

  @Test(
    "A service, its resources and their requests hide all of it", arguments: StoreActor.allCases)
  func store(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.headers["Authorization"] = "s3cret" }
      fixture.stub.on(.get, "/a?token=s3cret", .text("s3cret", headers: ["Set-Cookie": "s3cret"]))
      let resource = fixture.text("a?token=s3cret")
      let request = resource.load()
      _ = try await request.value()
      check(resource)
      check(request)
      check(request.result as Any)
      check(fixture.service)
      check(resource.updateContent { $0 += "s3cret" } as Any)
    }
  }

  @Test("An entry that cannot be encoded is not in the error")
  func entries() throws {
    let url = try #require(URL(string: "https://u:s3cret@api.test/a?token=s3cret"))
    for (date, status, headers) in [
      (Date(timeIntervalSinceReferenceDate: .nan), 200, ["Set-Cookie": "s3cret"] as HTTPHeaders),
      (ManualClock.startDate, -7, ["Set-Cookie": "s3cret"]),
      (ManualClock.startDate, 200, ["Set-Cookie": "s3cret\n"]),
      (ManualClock.startDate, 200, ["s3cret\n": "a"]),
    ] {
      let response = HTTPResponse(
        status: status, headers: headers, body: Data("s3cret".utf8), url: url)
      let error = #expect(throws: EncodingError.self) {
        try JSONEncoder().encode(CachedEntry(response: response, timestamp: date))
      }
      check(error as Any)
    }
  }

  @Test("A rule that was added hides the base URL and all rules")
  @MainActor func rule() {
    let service = Service(
      baseURL: "https://user:s3cret@api.test/v1", transport: StubTransport(), clock: ManualClock())
    let secret = "s3cret"
    let rule = service.configure("x?token=s3cret") { $0.headers["Authorization"] = secret }
    check(rule)
    check(service)
    check(service.store)
    let resource = service.resource("a?token=s3cret", of: String.self)
    resource.overrideLocalContent("s3cret")
    check(resource.observe { _, _ in withExtendedLifetime(secret) {} })
  }
}
