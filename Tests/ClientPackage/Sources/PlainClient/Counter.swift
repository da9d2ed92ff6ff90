import Freshet

/// An actor that owns a store: a program without a main actor to live on, such as a server.
actor Counter {
  private let transport: any Transport
  private lazy var service = Service(
    baseURL: "https://api.test", transport: transport, isolation: self)
  private(set) var events: [ResourceEvent] = []
  private(set) var counts: [Int] = []

  init(transport: any Transport) {
    self.transport = transport
  }

  func count() async throws -> Int {
    let resource = service.resource("count", of: Int.self)
    resource.addObserver(owner: self) { [unowned self] resource, event in
      let count = resource.content
      assumeIsolated {
        $0.events.append(event)
        if let count { $0.counts.append(count) }
      }
    }
    return try await resource.load().value()
  }
}
