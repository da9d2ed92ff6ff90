import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Events that a fetch of a token causes", .standardTimeLimit)
@MainActor struct FetchDeliveryTests {
  private let stub = StubTransport()
  private let service: Service

  init() {
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(),
      isolation: MainActor.shared)
    for path in ["/a", "/session", "/profile"] { stub.on(.get, path, .text("x")) }
  }

  @Test(
    "What observers begin is no part of the fetch, however the event is caused", arguments: 0..<4)
  func observers(cause: Int) async throws {
    let (service, session) = (service, service.resource("session", of: String.self))
    session.overrideLocalContent("before")
    var begun: [Request<String>] = []
    let token = session.observe { [service] _, event in
      if event == .observerAdded, cause != 3 { return }
      begun.append(service.resource("profile", of: String.self).load())
    }
    defer { token.cancel() }
    begun = []
    var later: ObservationToken?
    let tokens = TokenAuthorizer(token: nil, fetchTimeout: nil) { @MainActor in
      switch cause {
      case 0: session.overrideLocalContent("after")
      case 1: service.invalidate(matching: "/session")
      case 2: session.wipe()
      default:
        later = session.observe { [service] _, _ in
          begun.append(service.resource("profile", of: String.self).load())
        }
      }
      return "new"
    }
    service.configure { $0.authorizer = tokens }
    #expect(try await service.resource("a", of: String.self).load().value() == "x")
    #expect(!begun.isEmpty)
    for request in begun { #expect(await request.failure() == nil) }
    later?.cancel()
  }

  /// An observer that loads when it is removed.
  private final class Leaver: ResourceObserver {
    private let load: () -> Void

    init(_ load: @escaping () -> Void) { self.load = load }

    func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {}
    func stoppedObserving(_ resource: AnyResource) { load() }
  }

  /// A hook or observer that the call which adds or removes it notifies.
  enum Hook: CaseIterable, Sendable {
    case end, progress, removal, query, queryEnd
  }

  @Test("Nor is what a hook begins that is called at once", arguments: Hook.allCases)
  func hooks(hook: Hook) async throws {
    let (service, session) = (service, service.resource("session", of: String.self))
    // A query knows only at its next page that the list has ended.
    stub.on(.get, "/list", .json(#"{"items":[1],"end_of_stream":true,"next_page":"/list"}"#))
    let list = service.pages("list", of: JSONText.self)
    let query = PageQuery(firstPage: list.firstPage)
    query.pageBudget = 1
    let done = session.load()
    await done.completed()
    query.start()
    await query.settled()
    var begun: [Request<String>] = []
    let load = { [service] in
      begun.append(service.resource("profile", of: String.self).load())
    }
    let leaver = Leaver(load)
    session.addObserver(leaver)
    query.pageCompleted = { _ in load() }
    let again = PageQuery(firstPage: list.firstPage)
    again.pageBudget = 1
    again.pageCompleted = { _ in load() }
    let tokens = TokenAuthorizer(token: nil, fetchTimeout: nil) { @MainActor in
      switch hook {
      case .end: done.onSuccess { _ in load() }
      case .progress: done.onProgress { _ in load() }
      case .removal: session.removeObserver(leaver)
      case .query: again.start()
      case .queryEnd: query.start()
      }
      // So that what waits for the token does so before there is one.
      for _ in 0..<500 { await Task.yield() }
      return "new"
    }
    for path in ["a", "profile"] { service.configure(path) { $0.authorizer = tokens } }
    #expect(try await service.resource("a", of: String.self).load().value() == "x")
    #expect(begun.count == 1)
    for request in begun { #expect(await request.failure() == nil) }
  }
}
