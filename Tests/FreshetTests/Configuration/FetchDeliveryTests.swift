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
    #expect(try await service.resource("a", of: String.self).load().value().content == "x")
    #expect(!begun.isEmpty)
    for request in begun { #expect(await request.failure() == nil) }
    later?.cancel()
  }
}
