import Freshet
import FreshetTesting

// Every place where people write `Service(baseURL:)`.

private let transport: StubTransport = {
  let stub = StubTransport()
  stub.on(.get, "/a", .text("one"))
  return stub
}()

@MainActor let globalService = Service(baseURL: "https://api.test", transport: transport)

@MainActor
final class ClassWithServices {
  static let shared = Service(baseURL: "https://api.test", transport: transport)
  let stored = Service(baseURL: "https://api.test", transport: transport)
  lazy var made = Service(baseURL: "https://api.test", transport: transport)

  func services(
    and another: Service = Service(baseURL: "https://api.test", transport: transport)
  ) -> [Service] {
    let local = Service(baseURL: "https://api.test", transport: transport)
    return [Self.shared, stored, made, another, local]
  }
}

@MainActor
struct StructWithServices {
  static let shared = Service(baseURL: "https://api.test", transport: transport)
  var stored = Service(baseURL: "https://api.test", transport: transport)
  lazy var made = Service(baseURL: "https://api.test", transport: transport)

  mutating func services(
    and another: Service = Service(baseURL: "https://api.test", transport: transport)
  ) -> [Service] {
    [Self.shared, stored, made, another]
  }
}

actor ActorWithServices {
  private lazy var made = Service(
    baseURL: "https://api.test", transport: transport, isolation: self)

  func check() async {
    for service in [made, local()] { await load(from: service, isolation: self) }
  }

  private func local() -> Service {
    Service(baseURL: "https://api.test", transport: transport, isolation: self)
  }
}

/// Loads, and checks that the observer is notified on the actor of the service.
private func load(from service: Service, isolation: isolated any Actor) async {
  let resource = service.resource("a", of: String.self)
  var contents: [String?] = []
  // The closure gets the resource with its type.
  let token = resource.observe { resource, _ in
    isolation.preconditionIsolated()
    contents.append(resource.content)
  }
  await resource.load().completed()
  check(contents.last == "one", "\(contents)")
  withExtendedLifetime(token) {}
}

@MainActor
func checkServiceForms() async {
  var structure = StructWithServices()
  let services = [globalService] + structure.services() + ClassWithServices().services()
  for service in services { await load(from: service, isolation: MainActor.shared) }
  await ActorWithServices().check()
}
