import Freshet
import FreshetTesting
import Testing

/// A response finds its request, its resource and its lists by weak references, because each may be released on
/// any thread meanwhile: what took it for granted that they exist would crash here. `Tests/address-sanitizer`
/// runs these tests too.
@Suite("The last reference to something is released on another thread", .standardTimeLimit)
struct ReleasedElsewhereTests {
  /// What is released while a response arrives.
  enum Released: CaseIterable, Sendable {
    case resource, request, service, list
  }

  /// The last references to objects, which any thread may release.
  private final class LastReferences: @unchecked Sendable {
    private var objects: [AnyObject]

    init(_ objects: AnyObject...) { self.objects = objects }

    func release() { objects = [] }
  }

  private struct WeakReference {
    weak var object: AnyObject?
  }

  @Test(
    "It is deallocated, whether or not the response was before that", arguments: Released.allCases,
    StoreActor.allCases)
  func duringResponse(released: Released, actor: StoreActor) async {
    await actor.run { actor in
      for _ in 0..<trialCount(100) {
        let stub = StubTransport()
        stub.on(.get, "/items?page=2", .json("[2]"))
        let gate = stub.hold(.get, "/items")
        let (last, reference, kept) = Self.begin(released, over: stub)
        await gate.arrived()
        gate.release(with: .json("[1]", headers: ["Link": "</items?page=2>; rel=next"]))
        await Task.detached { last.release() }.value
        #expect(await soon { reference.object == nil })
        withExtendedLifetime(kept) {}
      }
    }
  }

  /// Begins a request.
  ///
  /// - Returns: the last references to what is released, and what is held until the end.
  private static func begin(
    _ released: Released, over stub: StubTransport, isolation: isolated any Actor = #isolation
  ) -> (last: LastReferences, reference: WeakReference, kept: [AnyObject]) {
    // Not even resources are held that the program does not hold.
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(),
      limits: .init(resourceCount: 0, byteCount: 0), isolation: #isolation)
    let resource = service.resource("items", of: JSONText.self)
    switch released {
    case .resource:
      let request = resource.load()
      return (LastReferences(resource), WeakReference(object: resource), [service, request])
    case .request:
      let request = resource.request(.get)
      return (LastReferences(service, request), WeakReference(object: request), [resource])
    case .service:
      resource.load()
      return (LastReferences(service), WeakReference(object: service), [resource])
    case .list:
      let list = service.pages("items", of: Int.self, style: .linkHeader)
      list.loadAll()
      return (LastReferences(list), WeakReference(object: list), [service])
    }
  }
}
