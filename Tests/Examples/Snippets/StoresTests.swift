import Freshet
import FreshetTesting
import Testing

@Suite("Services and actors", .standardTimeLimit)
struct StoresTests {
  private let stub = StubTransport()

  init() { stub.on(.get, "/products/7", .json(#"{"name": "Seven"}"#)) }

  @Test("An observer on the main actor receives the events of a load")
  @MainActor
  func mainActor() async {
    let product = Stores.AppModel(transport: stub, clock: ManualClock()).service
      .resource("products/7", of: Stores.Product.self)
    let model = Stores.ProductModel()
    product.addObserver(model)
    let request = product.load()
    #expect(model.isLoading)
    await request.completed()
    #expect(!model.isLoading && product.content?.name == "Seven")
  }

  @Test("An actor has a store of its own")
  func actor() async throws {
    #expect(
      try await Stores.Catalog(transport: stub, clock: ManualClock()).product(7).name == "Seven")
  }
}
