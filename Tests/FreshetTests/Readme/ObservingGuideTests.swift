import Foundation
import Freshet
import FreshetTesting
import Testing

/// What the article on observing shows, beside SwiftUI.
@Suite("The guide to observing", .standardTimeLimit)
@MainActor
struct ObservingGuideTests {
  struct Gist: Decodable, Identifiable, Equatable, Sendable {
    let id: Int
    var isStarred = false

    private enum CodingKeys: CodingKey { case id }
  }

  @Test("A list loads more when an item near its end is shown")
  func itemShown() async {
    let stub = StubTransport()
    stub.on(
      .get, "/gists",
      .json(#"[{"id": 1}, {"id": 2}]"#, headers: ["Link": #"</gists?page=2>; rel="next""#]))
    stub.on(.get, "/gists?page=2", .json(#"[{"id": 3}]"#))
    let service = Service(baseURL: "https://api.test", transport: stub)
    var options = PagedCollection<Gist>.Options()
    options.prefetchDistance = 1
    let gists = service.pages("gists", of: Gist.self, style: .linkHeader, options: options)
    gists.loadIfNeeded()
    await gists.settled()
    gists.itemShown(Gist(id: 9))
    #expect(!gists.isLoading)
    gists.itemShown(gists.items[1])
    await gists.settled()
    #expect(gists.items.map(\.id) == [1, 2, 3])
  }

  @Test("A star is shown at once, and what it affects is invalidated")
  func star() async {
    let stub = StubTransport()
    stub.on(.get, "/gists/1", .json(#"{"id": 1}"#))
    stub.on(.put, "/gists/1/star", .status(204))
    let service = Service(baseURL: "https://api.test", transport: stub)
    let gist = service.resource("gists/1", of: Gist.self)
    _ = try? await gist.freshContent()
    let star = Mutation<NoContent>()
    let request = star.begin(
      gist.child("star", decoder: .nothing).request(.put),
      edits: [gist.updateContent { $0.isStarred = true }]
    ) { service.invalidate(matching: "gists/*") }
    #expect(gist.content?.isStarred == true && star.isPending)
    await request.ended()
    #expect(gist.content?.isStarred == true && !star.isPending && star.latestError == nil)
    #expect(!gist.isUpToDate)
    let status = ResourceStatus(of: gist)
    #expect(status.phase == .content && !status.canRetry)
  }
}
