import Freshet
import FreshetTesting

@main
enum PlainClient {
  static func main() async throws {
    try await checkViewModel()
    try await checkActor()
    await checkServiceForms()
    try await checkEventsAndTime()
    try await checkWaitsOfList()
    try await checkListOverHTTP()
    print("PlainClient: all checks passed")
  }

  @MainActor
  static func checkViewModel() async throws {
    let stub = StubTransport()
    stub.on(.get, "/v1/profile", .json(#"{"name": "Ada"}"#))
    stub.on(.put, "/v1/profile", .status(204), .status(409))
    let service = Service(baseURL: "https://api.test/v1", transport: stub)
    let model = ProfileModel(service: service)
    try await model.refresh()
    check(model.title == "Ada", model.title)
    await model.rename(to: "Grace")
    check(model.title == "Grace", model.title)
    await model.rename(to: "Hopper")
    check(model.title == "Grace", model.title)
    check(
      model.drawings == ["…", "… (loading)", "Ada", "Grace", "Hopper", "Grace"],
      "\(model.drawings)")
    check(stub.unexpected.isEmpty, "\(stub.unexpected)")
  }

  static func checkActor() async throws {
    let stub = StubTransport()
    stub.on(.get, "/count", .json("42"))
    let counter = Counter(transport: stub)
    let count = try await counter.count()
    check(count == 42, "\(count)")
    let events = await counter.events
    check(events == [.observerAdded, .requested, .newData(.network)], "\(events)")
    let counts = await counter.counts
    check(counts == [42], "\(counts)")
  }

  /// A test as a client writes it: exact events, and a clock that only the test advances.
  @MainActor
  static func checkEventsAndTime() async throws {
    let (stub, clock) = (StubTransport(), ManualClock())
    stub.on(.get, "/a", .text("one", headers: ["ETag": "\"1\""]), .status(304), .status(404))
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    service.configure("a") { $0.freshnessLifetime = .seconds(5) }
    let resource = service.resource("a", of: String.self)
    let recorder = EventRecorder()
    resource.addObserver(recorder)
    for seconds in [5, 4, 1] {
      _ = try await resource.loadIfNeeded()?.value()
      clock.advance(by: .seconds(seconds))
    }
    await resource.load().completed()
    check(
      recorder.events == [
        .observerAdded, .requested, .newData(.network), .requested, .notModified, .requested,
        .error,
      ], "\(recorder.events)")
    check(resource.content == "one" && resource.latestError?.status == 404, "\(resource)")
  }

  /// A list whose server requests a wait, on a clock that advances from one timer to the next.
  @MainActor
  static func checkWaitsOfList() async throws {
    let (stub, clock) = (StubTransport(), ManualClock())
    stub.on(.get, "/items", .status(503, headers: ["Retry-After": "7"]), .json("[1, 2]"))
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    service.configure { $0.retryPolicy = .standard }
    let list = service.pages(
      "items", of: Int.self, options: .init(identity: .automatic, displayedCount: 20))
    let recorder = PagedCollectionRecorder<Int>()
    list.addObserver(recorder)
    list.loadAll()
    try await clock.run(until: { list.state == .ended })
    check(clock.now == .seconds(7) && clock.timers.isEmpty, "\(clock.timers)")
    check(
      recorder.changes.count == 1 && recorder.lines.last == "stateChanged(ended)", "\(recorder)")
    check(list.firstPage.key.digest.count == 64, list.firstPage.key.digest)
  }

  /// A list over a real socket, from a server of the library.
  @MainActor
  static func checkListOverHTTP() async throws {
    let demo = DemoAPI(itemCount: 25, perPage: 10)
    let server = try demo.start()
    let service = Service(baseURL: server.url.absoluteString)
    let list = service.pages(
      "items", of: Gauge.self, options: .init(identity: .id, displayedCount: 20))
    list.loadAll()
    await list.settled()
    check(list.items.map(\.id) == demo.ids, "\(list.items)")
    let id = demo.insert(at: 0)
    list.refresh()
    await list.settled()
    check(list.items.first?.id == id && list.items.count == 26, "\(list.items)")
    check(list.totalCount == 26 && list.pageCount == 3, "\(list.pageCount)")
    server.stop()
  }
}
