import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Where decoding runs", .standardTimeLimit)
struct DecodingIsolationTests {
  /// An actor whose jobs all run on one marked queue, the way the main actor's do on the main queue.
  private actor MarkedActor {
    static let mark = DispatchSpecificKey<Bool>()
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

    private static let executor: QueueExecutor = {
      let executor = QueueExecutor(label: "marked")
      executor.queue.setSpecific(key: mark, value: true)
      return executor
    }()
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      Self.executor.asUnownedSerialExecutor()
    }

    func run(_ scenario: @Sendable (isolated any Actor) async throws -> Void) async rethrows {
      try await scenario(self)
    }
  }

  private struct Value: Codable, Sendable {
    init() {}
    init(from decoder: any Decoder) throws { #expect(!MarkedActor.isCurrent) }
    func encode(to encoder: any Encoder) throws {
      #expect(!MarkedActor.isCurrent)
      var container = encoder.singleValueContainer()
      try container.encode(1)
    }
  }

  @Test("Nothing that may take long runs on the store's actor")
  func offTheActor() async throws {
    try await MarkedActor().run { actor in
      #expect(MarkedActor.isCurrent)
      let stub = StubTransport()
      stub.on(where: { _ in true }, .json("1", status: 500), .json("1"))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure { configuration in
        configuration.pipeline.add(at: .raw) {
          #expect(!MarkedActor.isCurrent); return $0
        }
        configuration.pipeline.add(Value.self, at: .model) { value, _ in
          #expect(!MarkedActor.isCurrent)
          return value
        }
        configuration.decorate {
          #expect(!MarkedActor.isCurrent); return $0
        }
        configuration.decodeErrors(as: Value.self)
        configuration.authorizer = TokenAuthorizer(fetchTimeout: nil) {
          #expect(!MarkedActor.isCurrent)
          return "token"
        }
      }
      let resource = service.resource("a", of: Value.self)
      var calls = 0
      resource.addObserver(owner: actor) { _, _ in
        #expect(MarkedActor.isCurrent)
        calls += 1
      }
      await resource.load().completed()
      #expect(resource.latestError?.decodedBody is Value)
      _ = try await resource.load().value()
      _ = try await resource.request(.put, body: .json(Value())).value()
      #expect(MarkedActor.isCurrent)
      #expect(calls == 5)
    }
  }
}
