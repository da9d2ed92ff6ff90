import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The pipeline", .standardTimeLimit)
struct PipelineTests {
  struct Problem: Decodable, Sendable, Equatable, LocalizedError {
    let detail: String
    var errorDescription: String? { detail }
  }
  struct Refused: Error {}

  private static func appending(_ text: String) -> @Sendable (HTTPResponse) -> HTTPResponse {
    { response in
      var response = response
      response.body += Data(text.utf8)
      return response
    }
  }

  @Test(
    "Stages run in their order, transforms of a stage in theirs", arguments: StoreActor.allCases)
  func order(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      stub.on(where: { _ in true }, .text("", headers: ["X": "header"]))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure { configuration in
        configuration.pipeline.add(String.self, at: .cleanup) { text, _ in text + " 6" }
        configuration.pipeline.add(String.self, at: .model) { text, response in
          text + " 5 " + (response.headers["X"] ?? "")
        }
        configuration.pipeline.add(Int.self, at: .model) { _, _ in throw Refused() }
        configuration.pipeline.add(at: .parsing, Self.appending(" 4"))
        configuration.pipeline.add(at: .decoding, Self.appending(" 3"))
        configuration.pipeline.add(at: .raw, Self.appending("1"))
        configuration.pipeline.add(at: .raw, Self.appending(" 2"))
      }
      service.configure("changed/*") { configuration in
        configuration.pipeline.add(at: .raw, Self.appending(" 2b"))
        configuration.pipeline.removeAll(at: .decoding)
        configuration.pipeline.removeAll(at: .model)
      }
      let plain = try await service.resource("a", of: String.self).load().entity()
      #expect(plain.content == "1 2 3 4 5 header 6")
      #expect(plain.byteCount == 0)
      let changed = try await service.resource("changed/a", of: String.self).load().value()
      #expect(changed == "1 2 2b 4 6")
    }
  }

  @Test("A transform may change what the decoder receives", arguments: StoreActor.allCases)
  func typing(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .text(#"for(;;);{"data": [1, 2]}"#))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure {
        $0.pipeline.add(at: .raw) { response in
          var response = response
          response.body.removeFirst("for(;;);".utf8.count)
          response.headers["Content-Type"] = "application/json"
          return response
        }
      }
      let entity = try await service.resource("a", of: [String: [Int]].self).load().entity()
      #expect(entity.content == ["data": [1, 2]])
      #expect(entity.contentType?.isJSON == true)
    }
  }

  @Test(
    "A transform that throws fails the load, and the content stays",
    arguments: StoreActor.allCases)
  func throwing(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .text("first"), .text("second"))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let resource = service.resource("a", of: String.self)
      await resource.load().completed()
      for (number, isTyped) in [false, true].enumerated() {
        service.configure { configuration in
          configuration.pipeline = Pipeline()
          if isTyped {
            configuration.pipeline.add(String.self, at: .model) { _, _ in throw Refused() }
          } else {
            configuration.pipeline.add(at: .parsing) { _ in throw Refused() }
          }
        }
        let error = await resource.load().failure()
        #expect(error?.kind == .decoding, "\(number)")
        #expect(error?.underlying is Refused)
        #expect(resource.content == "first")
      }
    }
  }

  @Test("The body of an error response is transformed and decoded", arguments: StoreActor.allCases)
  func errorBodies(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .text(#"{"problem":"#, status: 422))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure {
        $0.decodeErrors(as: [String: Problem].self)
        $0.pipeline.add(at: .decoding, Self.appending(#"{"detail": "no"}}"#))
        $0.pipeline.add(String.self, at: .model) { _, _ in throw Refused() }
      }
      let resource = service.resource("a", of: String.self)
      let error = await resource.load().failure()
      #expect(error?.decodedBody as? [String: Problem] == ["problem": Problem(detail: "no")])
      service.configure {
        $0.decodeErrors { _ in Problem(detail: "In your own words.") }
      }
      #expect(await resource.load().failure()?.userMessage == "In your own words.")
    }
  }

  @Test(
    "An error body that does not fit changes nothing about the error",
    arguments: StoreActor.allCases)
  func oddErrorBodies(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/a", .text("<html>", status: 404), .status(404))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure { $0.decodeErrors(as: Problem.self) }
      let resource = service.resource("a", of: String.self)
      for _ in 0..<2 {
        let error = await resource.load().failure()
        #expect(error?.kind == .http)
        #expect(error?.status == 404)
        #expect(error?.decodedBody == nil)
      }
    }
  }
}
