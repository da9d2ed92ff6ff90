import Freshet
import FreshetTesting
import Testing

/// In a module whose default isolation is the main actor nothing has to say so.
@Suite("A module isolated to the main actor by default", .standardTimeLimit)
struct MainActorModuleTests {
  @Test("draws a resource, its loads and its errors")
  func feed() async {
    let stub = StubTransport()
    let gate = stub.hold(.get, "/feed")
    stub.on(.get, "/feed", .status(503), .json(#"[{"title": "One"}]"#))
    let service = Service(baseURL: "https://api.test/", transport: stub, clock: ManualClock())
    service.configure { configuration in
      configuration.headers["Accept-Language"] = "en"
      configuration.decorate { request in request }
    }
    let model = FeedModel(service: service)
    model.appear()
    #expect(model.isLoading)
    await gate.arrived()
    #expect(gate.request?.headers["Accept-Language"] == "en")
    gate.release(with: .json(#"[{"title": "One"}, {"title": "Two"}]"#))
    await model.pullToRefresh()
    #expect(model.message != nil)
    await model.pullToRefresh()
    #expect(model.titles == ["One"])
    #expect(model.message == nil && !model.isLoading)
  }

  @Test("draws the rows of a list by its splices")
  func list() async {
    let stub = StubTransport()
    stub.on(
      .get, "/entries",
      .json(#"[{"title": "One"}]"#, headers: ["Link": "</entries?page=2>; rel=next"]))
    stub.on(.get, "/entries?page=2", .json(#"[{"title": "Two"}]"#), .json(#"[{"title": "Three"}]"#))
    let model = ListModel(
      service: Service(baseURL: "https://api.test", transport: stub, clock: ManualClock()))
    await model.list.settled()
    #expect(model.rows == ["One"])
    model.list.itemShown(at: 0)
    await model.list.settled()
    #expect(model.rows == ["One", "Two"])
    model.list.refresh()
    await model.list.settled()
    #expect(model.rows == ["One", "Three"])
    #expect(stub.unexpected.isEmpty)
  }
}
