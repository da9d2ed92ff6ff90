import Freshet
import FreshetTesting

@main
enum PlainClient {
  static func main() async throws {
    try await checkViewModel()
    try await checkActor()
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
    await model.rename(to: "Nobody")
    check(model.title == "Grace", model.title)
    check(
      model.drawings == ["…", "… (loading)", "Ada", "Grace", "Nobody", "Grace"],
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
  }
}
