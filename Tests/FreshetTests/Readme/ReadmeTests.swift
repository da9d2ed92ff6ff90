import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The code in the README", .standardTimeLimit)
@MainActor
struct ReadmeTests {
  @Test("is compiled here", arguments: ["the view model", "the three questions"])
  func isCompiled(part: String) throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let source = try String(contentsOf: here.appending(path: "GistList.swift"), encoding: .utf8)
    let readme = try String(
      contentsOf: here.appending(path: "../../../README.md"), encoding: .utf8)
    let marked = try #require(source.components(separatedBy: "// README: \(part)\n").last)
    let lines = try #require(marked.components(separatedBy: "// README: end").first)
      .trimmingCharacters(in: .whitespacesAndNewlines).components(separatedBy: "\n")
    let indentation = part == "the view model" ? "" : "    "
    let code = lines.map {
      $0.hasPrefix(indentation) ? String($0.dropFirst(indentation.count)) : $0
    }
    #expect(readme.contains(code.joined(separator: "\n")))
  }

  @Test("shows a list, more of it on demand, and what a refresh finds")
  func works() async {
    let stub = StubTransport()
    stub.on(
      .get, "/gists",
      .json(#"[{"id": 1, "title": "a"}]"#, headers: ["Link": #"</gists?page=2>; rel="next""#]))
    stub.on(.get, "/gists?page=2", .json(#"[{"id": 2, "title": "b"}]"#))
    let list = GistList(
      Service(baseURL: "https://api.test", transport: stub))
    await list.drawn { list.titles == ["a"] && list.status == "idle" }
    list.rowShown(0)
    await list.drawn { list.titles == ["a", "b"] && list.status == "ended" }
    stub.on(.get, "/gists?page=2", .json(#"[{"id": 3, "title": "c"}]"#))
    list.pulledToRefresh()
    await list.drawn { list.titles == ["a", "c"] && list.status == "ended" }
    #expect(stub.unexpected.isEmpty)
  }

  @Test("shows the latest data, the last error and whether it loads")
  func threeQuestions() async throws {
    let stub = StubTransport()
    stub.on(.get, "/gists/1", .json(#"{"id": 1, "title": "a"}"#))
    let service = Service(baseURL: "https://api.test", transport: stub)
    let gist = service.resource("gists/1", of: Gist.self)
    let request = try #require(gist.loadIfNeeded())
    #expect(gist.content == nil && gist.latestError == nil && gist.isLoading)
    _ = try await request.value()
    #expect(gist.content?.title == "a" && gist.latestError == nil && !gist.isLoading)
  }
}

extension GistList {
  /// Waits until the model has been drawn in a state.
  fileprivate func drawn(in state: @escaping () -> Bool) async {
    guard !state() else { return }
    let (states, continuation) = AsyncStream<Void>.makeStream()
    draw = { if state() { continuation.finish() } }
    for await _ in states {}
    draw = {}
  }
}
