import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Request bodies", .standardTimeLimit)
struct RequestBodyTests {
  struct Note: Encodable, Sendable {
    var title = "a/b"
    var created = Date(timeIntervalSince1970: 0)
    var body: String?
  }

  private static let form = [
    (name: "q", value: "a b&c=d+é\n"), (name: "q", value: ""), (name: "*-._~", value: "~"),
  ]

  @Test("Each kind of body is sent in its form", arguments: StoreActor.allCases)
  func bodies(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport { HTTPResponse(status: 200, url: $0.url) }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure { $0.headers["Content-Type"] = "overridden/x" }
      let resource = service.resource("a", of: String.self)
      let cases: [(RequestBody, String, String)] = [
        (.json(Note()), "application/json", #"{"created":"1970-01-01T00:00:00Z","title":"a/b"}"#),
        (.json(["b": 1, "a": 2]), "application/json", #"{"a":2,"b":1}"#),
        (.json(3) { _ in }, "application/json", "3"),
        (.text("é"), "text/plain; charset=utf-8", "é"),
        (.text("a,b", contentType: "text/csv"), "text/csv", "a,b"),
        (
          .form(Self.form), "application/x-www-form-urlencoded",
          "q=a+b%26c%3Dd%2B%C3%A9%0A&q=&*-._%7E=%7E"
        ),
        (.data(Data("x".utf8), contentType: "image/png"), "image/png", "x"),
      ]
      for (body, type, text) in cases {
        _ = try await resource.request(.post, body: body).value()
        let sent = try #require(stub.requests.last)
        #expect(sent.headers.values(for: "Content-Type") == [type])
        #expect(String(decoding: sent.body ?? Data(), as: UTF8.self) == text)
      }
      #expect(resource.content == nil, "a plain request never touches the state")
    }
  }

  @Test(
    "A body that does not encode fails the request and is not sent",
    arguments: StoreActor.allCases)
  func failing(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let resource = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      )
      .resource("a", of: String.self)
      let error = await resource.request(.post, body: .json(["x": Double.nan])).failure()
      #expect(error?.kind == .invalidRequest)
      #expect(error?.underlying is EncodingError)
      let type = await resource.request(.post, body: .text("", contentType: "a\r\nb: c"))
        .failure()
      #expect(type?.kind == .invalidRequest)
      #expect(stub.requests.isEmpty)
    }
  }
}
