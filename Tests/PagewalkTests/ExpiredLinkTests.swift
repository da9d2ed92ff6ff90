import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("A server that confirms pages whose links have expired", .standardTimeLimit)
@MainActor
struct ExpiredLinkTests {
  /// Serves a list of pages whose tags are those of the items, with links to tokens that expire.
  private final class Server: Sendable {
    private let state = Locked((epoch: 0, pages: ["[0]", "[1]", "[2]"]))
    let stub = StubTransport()

    /// - Parameter expires: whether the tokens expire when the first page is asked for again.
    init(expires: Bool = false) {
      stub.on(where: { _ in true }) { [state] request in
        let isConditional = request.headers["If-None-Match"] != nil
        let now = state.withLock { state in
          if expires, isConditional, request.url.query == nil { state.epoch += 1 }
          return state
        }
        return Self.respond(to: request, now)
      }
    }

    /// Lets all tokens expire.
    func expire() { state.withLock { $0.epoch += 1 } }

    func append(_ page: String) { state.withLock { $0.pages.append(page) } }

    private static func respond(
      to request: HTTPRequest, _ state: (epoch: Int, pages: [String])
    ) -> StubTransport.Response {
      let token = URIQuery(url: request.url.absoluteString).value(of: "c") ?? "\(state.epoch)-0"
      let numbers = token.split(separator: "-").compactMap { Int($0) }
      guard numbers[0] == state.epoch else { return .status(410) }
      let (page, isLast) = (numbers[1], numbers[1] + 1 == state.pages.count)
      let tag = "\"\(state.pages[page])\(isLast)\""
      if request.headers["If-None-Match"] == tag { return .status(304, headers: ["ETag": tag]) }
      let next = isLast ? "<>" : "</items?c=\(state.epoch)-\(page + 1)>; rel=next"
      return .json(state.pages[page], headers: ["ETag": tag, "Link": next])
    }
  }

  @Test("Each run with a cache begins the list again, and prints it once", arguments: ["1", "4"])
  func cache(concurrency: String) async {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pagewalk-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = Server()
    for run in 1...3 {
      let session = Session()
      let status = await session.run(
        address, "--cache", folder.path(percentEncoded: false), "--concurrency", concurrency,
        "--summary", transport: server.stub)
      #expect(status == .complete, "run \(run): \(session.errorText)")
      #expect(session.lines == ["0", "1", "2"])
      server.expire()
    }
  }

  @Test("Each refresh begins the list again", arguments: ["1", "4"])
  func refresh(concurrency: String) async {
    let server = Server(expires: true)
    let session = Session()
    let status = await session.run(
      address, "--refresh", "3", "--concurrency", concurrency, transport: server.stub)
    #expect(status == .complete, "\(session.errorText)")
    #expect(session.lines == ["0", "1", "2"])
  }

  @Test("Each round of a watch begins the list again, and prints what changed")
  func watch() async {
    let server = Server(expires: true)
    let session = Session()
    session.onOutput = {
      switch session.lines.last {
      case "2": server.append("[3]")
      case "+ 3": server.append("[4]")
      default: if session.lines.last == "+ 4" { session.interrupts.interrupt() }
      }
    }
    session.onError = {
      if session.errorText.contains("failed") { session.interrupts.interrupt() }
    }
    _ = await session.run(address, "--watch=0.001", transport: server.stub)
    #expect(session.lines == ["0", "1", "2", "+ 3", "+ 4"], "\(session.errorText)")
  }

  @Test("A first walk whose items were printed does not begin again")
  func printed() async {
    let server = Server()
    let session = Session()
    session.onOutput = { server.expire() }
    let status = await session.run(address, "--quiet", transport: server.stub)
    #expect(status == .incomplete)
    #expect(session.lines == ["0"])
  }
}
