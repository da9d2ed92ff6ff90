// snippet
import Freshet
import FreshetTesting
import Testing
// end

@Suite("Getting started", .standardTimeLimit)
struct GettingStartedTests {
  typealias GitHub = GettingStarted.GitHub
  typealias Gist = GettingStarted.Gist

  // snippet
  @Test("A row near the end loads the next page")
  @MainActor
  func nextPage() async {
    let stub = StubTransport()
    stub.onPages("/gists/public", [[Gist(id: "a")], [Gist(id: "b")]])
    let gists = GitHub(transport: stub, clock: ManualClock()).gists
    gists.loadIfNeeded()
    await gists.settled()
    gists.itemShown(at: 0)
    await gists.settled()
    #expect(gists.items.map(\.id) == ["a", "b"])
    #expect(gists.isEnded)
  }
  // end

  @Test("The detail is one resource, however often it is asked for")
  @MainActor
  func detail() async throws {
    let stub = StubTransport()
    stub.on(.get, "/gists/a", .json(#"{"id": "a", "description": "one"}"#))
    let gitHub = GitHub(transport: stub, clock: ManualClock())
    let gist = gitHub.gist("a")
    #expect(gist === gitHub.gist("a"))
    #expect(try await gist.freshContent().description == "one")
    #expect(stub.requests.first?.headers["Accept"] == "application/vnd.github+json")
  }
}
