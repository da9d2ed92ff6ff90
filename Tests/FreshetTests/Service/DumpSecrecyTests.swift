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

  @Test("Headers, keys and bodies hide credentials and content")
  func parts() {
    check(["Authorization": "s3cret", "Cookie": "s3cret"] as HTTPHeaders)
    check(
      ResourceKey(
        method: .post, url: "https://u:s3cret@api.test/a?token=s3cret",
        body: Data(#"{"q": "s3cret"}"#.utf8), headers: ["Authorization": "s3cret"]))
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
}
