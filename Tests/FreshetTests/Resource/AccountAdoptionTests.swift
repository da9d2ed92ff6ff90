import FreshetTesting
import Testing

@testable import Freshet

@Suite("Adopted content of another user", .standardTimeLimit)
@MainActor struct AccountAdoptionTests {
  private final class Credentials {
    var account = "A"
  }

  private let cache = MemoryCache()

  private func launch(_ credentials: Credentials) -> ServiceFixture {
    let fixture = ServiceFixture { [cache] in
      $0.cache = cache
      $0.userIdentifier = credentials.account
    }
    fixture.stub.on(.get, "/a", .text("requested"))
    return fixture
  }

  @Test("A response belongs to the user of the time at which it was adopted")
  func changeBeforeResponse() async {
    let credentials = Credentials()
    let fixture = launch(credentials)
    let gate = fixture.stub.hold(.put, "/a")
    let resource = fixture.text("a")
    let request = resource.load(using: resource.request(.put))
    await gate.arrived()
    credentials.account = "B"
    fixture.service.reapplyConfiguration()
    gate.release(with: .text("of A"))
    await request.completed()
    #expect(resource.content == "of A" && !resource.isUpToDate)
    await fixture.service.flushCache()

    for (account, content) in [("A", "of A"), ("B", "requested")] {
      credentials.account = account
      let next = launch(credentials)
      await next.text("a").loadIfNeeded()?.completed()
      #expect(next.text("a").content == content)
      #expect(next.stub.requests.isEmpty == (content == "of A"))
    }
  }
}
