import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Dropping a service in the middle of its work", .standardTimeLimit)
struct DroppedWorkTests {
  /// What a load may be waiting for.
  enum Stage: String, CaseIterable, Sendable {
    case restoring, decorating, authorizing, sending, waitingToRetry, reportingProgress
  }

  /// Holds work until it is cancelled, and reports when it has begun.
  private final class WorkGate: Sendable {
    let begun: AsyncStream<Void>
    private let begin: AsyncStream<Void>.Continuation

    init() {
      (begun, begin) = AsyncStream<Void>.makeStream()
    }

    /// Reports that the work has begun.
    func reach() { begin.finish() }

    func hold() async {
      reach()
      for await _ in AsyncStream<Void>.makeStream().stream {}
    }
  }

  private final class GatedCache: EmptyCache {
    let held: WorkGate

    init(held: WorkGate) {
      self.held = held
    }

    @concurrent
    func entry(for key: ResourceKey) async throws -> CachedEntry? {
      await held.hold()
      return nil
    }
  }

  private struct GatedAuthorizer: RequestAuthorizer {
    let held: WorkGate

    @concurrent
    func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
      await held.hold()
      return request
    }

    @concurrent
    func renew(after request: HTTPRequest) async throws -> Bool { false }
  }

  @Test(
    "Nothing is left, whatever a load was waiting for", arguments: Stage.allCases,
    StoreActor.allCases)
  func nothingIsLeft(stage: Stage, actor: StoreActor) async {
    await actor.run { actor in
      let (stub, held) = (StubTransport(), WorkGate())
      stub.on(.get, "/a", .failure(.connectionLost))
      weak var service: Service?
      weak var resource: Resource<String>?
      weak var request: Request<String>?
      do {
        let made = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        made.configure { Self.hold(stage, by: held, &$0) }
        let loaded = made.resource("a", of: String.self)
        loaded.addObserver(owner: made) { _, _ in }
        if stage == .sending || stage == .reportingProgress {
          let gate = stub.hold(.get, "/a")
          request = loaded.load()
          await gate.arrived()
          if stage == .reportingProgress {
            let (steps, step) = AsyncStream<Double>.makeStream()
            loaded.loadIfNeeded()?.onProgress { step.yield($0) }
            gate.report(TransferProgress(bytesReceived: 1, bytesExpectedToReceive: 2))
            for await _ in steps { break }
          }
        } else {
          request = loaded.load()
          for await _ in held.begun {}
        }
        #expect(request?.isCompleted == false)
        (service, resource) = (made, loaded)
      }
      #expect(service == nil)
      #expect(resource == nil)
      #expect(request == nil)
    }
  }

  private static func hold(
    _ stage: Stage, by held: WorkGate, _ configuration: inout Service.Configuration
  ) {
    switch stage {
    case .restoring: configuration.cache = GatedCache(held: held)
    case .decorating:
      configuration.decorate { request in
        await held.hold()
        return request
      }
    case .authorizing: configuration.authorizer = GatedAuthorizer(held: held)
    case .waitingToRetry:
      configuration.retryPolicy = .standard
      configuration.random = { 1 }
      configuration.log = { if $0.category == .retry { held.reach() } }
    case .sending, .reportingProgress: break
    }
  }
}
