import Foundation
import Freshet
import FreshetTesting

@main
enum MainActorClient {
  static func main() async {
    let stub = StubTransport()
    let gate = stub.hold(.get, "/feed")
    stub.on(.get, "/feed", .status(503), .json(#"[{"title": "One"}]"#))
    let service = Service(baseURL: "https://api.test/", transport: stub)
    service.configure { configuration in
      configuration.headers["Accept-Language"] = "en"
      configuration.decorate { request in request }
    }

    let model = FeedModel(service: service)
    model.appear()
    check(model.isLoading, "no event for loading")
    await gate.arrived()
    check(gate.request?.headers["Accept-Language"] == "en", "the header is not sent")
    gate.release(with: .json(#"[{"title": "One"}, {"title": "Two"}]"#))
    await model.pullToRefresh()
    check(model.message != nil, "no message after an error")
    await model.pullToRefresh()
    check(model.titles == ["One"], "\(model.titles)")
    check(model.message == nil && !model.isLoading, "\(model.message ?? "loading")")
    await checkList()
    print("MainActorClient: all checks passed")
  }

  static func checkList() async {
    let stub = StubTransport()
    stub.on(
      .get, "/entries",
      .json(#"[{"title": "One"}]"#, headers: ["Link": "</entries?page=2>; rel=next"]))
    stub.on(.get, "/entries?page=2", .json(#"[{"title": "Two"}]"#), .json(#"[{"title": "Three"}]"#))
    let model = ListModel(service: Service(baseURL: "https://api.test", transport: stub))
    await model.list.settled()
    check(model.rows == ["One"], "\(model.rows)")
    model.list.itemShown(at: 0)
    await model.list.settled()
    check(model.rows == ["One", "Two"], "\(model.rows)")
    model.list.refresh()
    await model.list.settled()
    check(model.rows == ["One", "Three"], "\(model.rows)")
    check(stub.unexpected.isEmpty, "\(stub.unexpected)")
  }

  /// Ends the program in failure where something is not as it should be.
  static func check(_ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line) {
    guard !condition else { return }
    FileHandle.standardError.write(Data("line \(line): \(message())\n".utf8))
    exit(1)
  }
}
