import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Header fields that select content, where a request has none", .standardTimeLimit)
@MainActor struct VaryingHeaderTests {
  private final class Credentials {
    var value: String?
  }

  private let credentials = Credentials()

  private func fixture() -> ServiceFixture {
    ServiceFixture { [credentials] in
      $0.headers["Authorization"] = credentials.value
      $0.varyingHeaders = ["Authorization"]
    }
  }

  @Test("A resource without credentials stays that, and sends none of a user who signs in later")
  func absent() async {
    let fixture = fixture()
    fixture.stub.on(.get, "/me") { .text($0.headers["Authorization"] ?? "anyone") }
    let first = fixture.text("me")
    await first.load().completed()
    credentials.value = "Bearer A"
    fixture.service.reapplyConfiguration()
    await first.load().completed()
    #expect(first.content == "anyone")
    let mine = fixture.text("me")
    await mine.load().completed()
    #expect(mine !== first && mine.content == "Bearer A")
    credentials.value = nil
    fixture.service.reapplyConfiguration()
    #expect(fixture.text("me") === first && first.content == "anyone")
  }

  @Test("A page without credentials leads to pages without")
  func absentInPage() throws {
    let fixture = fixture()
    let page: Resource<Page<Int>> = fixture.service.resource("a", decoder: .page(.linkHeader))
    credentials.value = "Bearer A"
    fixture.service.reapplyConfiguration()
    #expect(try page.following(PageLink(.follow("/b"))).key.headers.fields.isEmpty)
  }

  @Test("A request with another method has what the configuration of that sets")
  func otherMethod() async {
    let fixture = fixture()
    fixture.service.configure(methods: [.post]) { $0.headers["Authorization"] = "Bearer A" }
    fixture.stub.on(.post, "/posts", .status(204))
    await fixture.service.request(.post, "posts").completed()
    #expect(fixture.stub.requests.map { $0.headers["Authorization"] } == ["Bearer A"])
  }

  @Test("A link leads to the resource that its URL has, where other fields select content there")
  func otherRule() throws {
    credentials.value = "Bearer A"
    let fixture = fixture()
    fixture.service.configure { $0.headers["X-Region"] = "7" }
    fixture.service.configure("b") { $0.varyingHeaders = ["Authorization", "X-Region"] }
    let page: Resource<Page<Int>> = fixture.service.resource("a", decoder: .page(.linkHeader))
    let link = PageLink(.follow("/b"))
    for _ in 0..<2 {
      let next = try page.following(link)
      #expect(next.key == fixture.text("b").key)
      #expect(next.key.headers["x-region"] == "7")
    }
  }

  @Test("So does one from http to https that leads to the origin of the service")
  func upgrade() throws {
    credentials.value = "Bearer A"
    let fixture = fixture()
    let page: Resource<Page<Int>> = fixture.service.resource(
      absoluteURL: "http://api.test/a", decoder: .page(.linkHeader))
    let link = PageLink(.follow("?page=2"))
    page.overrideLocalContent(
      ResourceEntity(
        Page(items: [1], next: link, style: .linkHeader),
        url: URL(string: "https://api.test/a")))
    #expect(page.key.headers.fields.isEmpty)
    #expect(try page.following(link).key == fixture.text("a?page=2").key)
  }
}
