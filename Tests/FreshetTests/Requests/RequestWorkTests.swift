import FreshetTesting
import Testing

@testable import Freshet

@Suite("Work for a request, and what receives its result", .standardTimeLimit)
struct RequestWorkTests {
  /// How the work ends.
  enum End: CaseIterable, Sendable {
    case received, cancelled, requestDeallocated
  }

  /// Whether an object was deallocated on the actor; nil before that.
  private let isOnActor = Locked<Bool?>(nil)

  private func probe() -> DeinitProbe {
    DeinitProbe { [isOnActor] in isOnActor.withLock { $0 = MarkedActor.isCurrent } }
  }

  private func run(
    _ request: AnyRequest, until result: AsyncStream<Void>, receivedWith probe: DeinitProbe
  ) {
    request.run {
      for await _ in result {}
    } completion: { request, _ in
      withExtendedLifetime(probe) { request.cancel() }
    }
  }

  @Test("What it has captured is released on the store's actor", arguments: End.allCases)
  func release(end: End) async {
    await MarkedActor().run { actor in
      let service = ServiceFixture().service
      let (results, result) = AsyncStream<Void>.makeStream()
      var request: AnyRequest? = AnyRequest(scope: service.store.scope, exchange: nil)
      if let request {
        run(request, until: results, receivedWith: probe())
        if end == .cancelled { request.cancel() }
        if end == .requestDeallocated { service.store.scope.running?.remove(request) }
      }
      if end == .requestDeallocated { request = nil }
      #expect(isOnActor.withLock { $0 } == (end == .cancelled ? true : nil))
      result.finish()
      await until { isOnActor.withLock { $0 != nil } }
      #expect(isOnActor.withLock { $0 } == true)
      #expect(request?.isCompleted == (end == .requestDeallocated ? nil : true))
    }
  }

  @Test("A page that a list reads from the persistent cache is deallocated on the store's actor")
  func page() async {
    await MarkedActor().run { actor in
      let cache = HeldCache()
      await cache.hold(.entry)
      weak var page: Resource<Page<Int>>?
      do {
        let fixture = ServiceFixture { $0.cache = cache }
        let list = fixture.service.pages("items", of: Int.self, style: .linkHeader)
        let probe = probe()
        page = list.firstPage
        list.firstPage.addObserver(owner: actor) { _, _ in withExtendedLifetime(probe) {} }
        list.loadIfNeeded()
        await cache.begun(.entry)
      }
      await cache.release()
      await until { isOnActor.withLock { $0 != nil } }
      #expect(isOnActor.withLock { $0 } == true)
      #expect(page == nil)
    }
  }
}
