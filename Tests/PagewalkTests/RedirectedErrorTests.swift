import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Errors of another URL than that of the page", .standardTimeLimit)
@MainActor
struct RedirectedErrorTests {
  private static let otherOrigin =
    "Credentials are not sent to an origin other than that of the first page"

  @Test(
    "An error after a redirect names where that led, and credentials only where they were sent",
    arguments: [
      ("http://b.test/c?token=hidden", false), ("http://api.test/login", true),
      ("https://api.test/login", true),
    ])
  func redirected(url: String, isCredentialed: Bool) async throws {
    let session = Session()
    let stub = StubTransport()
    let refusal = HTTPResponse(status: 401, url: try #require(URL(string: url)))
    stub.on(.get, "/items", .response(refusal))
    #expect(await session.run(address, transport: stub) == .incomplete)
    let place = url.prefix { $0 != "?" }
    #expect(
      session.errorText.contains(
        "page 1: \(address), redirected to \(place), responded with status 401. "
          + (isCredentialed ? "Check the credentials" : Self.otherOrigin)), "\(session.errorText)")
    #expect(!session.errorText.contains("hidden"))
  }

  @Test("A 401 of an origin that is allowed does not ask for credentials")
  func allowedOrigin() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/items", .json("[1]", headers: ["Link": "<http://b.test/c>; rel=next"]))
    stub.on(where: { $0.url.host() == "b.test" }, .status(401))
    let status = await session.run(address, "--allow-origin", "http://b.test", transport: stub)
    #expect(status == .incomplete)
    #expect(
      session.errorText.contains(
        "page 2: http://b.test/c responded with status 401. \(Self.otherOrigin)"),
      "\(session.errorText)")
  }
}
