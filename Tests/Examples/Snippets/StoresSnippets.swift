import Freshet

enum Stores {
  struct Product: Decodable, Sendable, Equatable { let name: String }

  // snippet
  @MainActor
  final class AppModel {
    let service: Service

    init(
      transport: any Transport = SystemTransport(), clock: any StoreClock = .system
    ) {
      service = Service(baseURL: "https://api.example.com", transport: transport, clock: clock)
    }
  }
  // end

  // snippet
  actor Catalog {
    private let (transport, clock): (any Transport, any StoreClock)
    private lazy var service = Service(
      baseURL: "https://api.example.com", transport: transport, clock: clock, isolation: self
    ) { $0.retryPolicy = .standard }

    init(
      transport: any Transport = SystemTransport(), clock: any StoreClock = .system
    ) {
      (self.transport, self.clock) = (transport, clock)
    }

    func product(_ id: Int) async throws -> Product {
      try await service.resource("products/\(id)", of: Product.self).freshContent()
    }
  }
  // end

  // snippet
  @MainActor
  final class ProductModel: @MainActor ResourceObserver {
    private(set) var isLoading = false

    func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
      isLoading = resource.isLoading
    }
  }
  // end
}
