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
        (
          .json(try JSONText(parsing: #"{"b": 1, "a": 2}"#)), "application/json",
          #"{"b": 1, "a": 2}"#
        ),
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
    "A body is encoded with the settings for JSON of its request, which its own configuration changes",
    arguments: StoreActor.allCases)
  func settings(actor: StoreActor) async throws {
    struct Draft: Encodable, Sendable {
      var dueDate = Date(timeIntervalSince1970: 0)
      var rawBytes = Data([1])
    }
    try await actor.run { actor in
      let stub = StubTransport { HTTPResponse(status: 200, url: $0.url) }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure("snake") {
        $0.json.keyEncodingStrategy = .convertToSnakeCase
        $0.json.dateEncodingStrategy = .secondsSince1970
        $0.json.dataEncodingStrategy = .deferredToData
      }
      let cases: [(path: String, body: RequestBody, sent: String)] = [
        ("a", .json(Draft()), #"{"dueDate":"1970-01-01T00:00:00Z","rawBytes":"AQ=="}"#),
        ("snake", .json(Draft()), #"{"due_date":0,"raw_bytes":[1]}"#),
        (
          "snake", .json(Draft()) { $0.dateEncodingStrategy = .iso8601 },
          #"{"due_date":"1970-01-01T00:00:00Z","raw_bytes":[1]}"#
        ),
      ]
      for (path, body, text) in cases {
        _ = try await service.request(.post, path, body: body).value()
        #expect(String(decoding: stub.requests.last?.body ?? Data(), as: UTF8.self) == text)
      }
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
