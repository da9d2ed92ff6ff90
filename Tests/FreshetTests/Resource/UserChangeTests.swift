import FreshetTesting
import Testing

@testable import Freshet

@Suite("What a change of the user means for loads and entries", .standardTimeLimit)
@MainActor struct UserChangeTests {
  private final class Credentials {
    var account: String? = "A"
    var key = 0
  }

  private let cache = MemoryCache()
  private let credentials = Credentials()

  private func launch() -> ServiceFixture {
    ServiceFixture { [cache, credentials] in
      $0.cache = cache
      $0.account = credentials.account
      if credentials.key > 0 { $0.headers["Idempotency-Key"] = "\(credentials.key)" }
    }
  }

  @Test("A key of a request is no user: its content stays fresh, and its entry is found")
  func idempotencyKey() async {
    (credentials.account, credentials.key) = (nil, 1)
    let fixture = launch()
    fixture.stub.on(.get, "/a", .text("one"))
    let resource = fixture.text("a")
    await resource.load().completed()
    credentials.key = 2
    fixture.service.configurationChanged()
    #expect(resource.isUpToDate)
    await fixture.service.flushCache()
    let later = launch()
    await later.text("a").loadIfNeeded()?.completed()
    #expect(later.text("a").content == "one" && later.stub.requests.isEmpty)
  }
}
