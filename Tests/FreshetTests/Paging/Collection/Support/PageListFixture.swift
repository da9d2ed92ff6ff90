import Foundation
import Freshet
import FreshetTesting
import Testing

/// A list over scripted pages, and a mirror that applies its changes to a copy.
///
/// Pages are at `/items?page=1`, `/items?page=2`, … and link to each other by header.
struct PageListFixture: ListFixture {
  let stub = StubTransport()
  let clock = ManualClock()
  let service: Service
  let list: PagedCollection<Int>
  let mirror = ListMirror<Int>()

  init(
    _ pages: [[Int]], isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in }
  ) {
    stub.onUnexpected { Issue.record("\($0)") }
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    list = service.pages("items?page=1", of: Int.self, style: .linkHeader, options: .with(options))
    list.addObserver(mirror)
    serve(pages)
  }

  /// Serves these pages from now on; the last one has no next link.
  func serve(_ pages: [[Int]]) {
    for (index, items) in pages.enumerated() {
      serve(index + 1, items, next: index + 1 < pages.count ? "/items?page=\(index + 2)" : nil)
    }
  }

  /// Serves one page, counted from 1, from now on.
  func serve(_ number: Int, _ items: [Int], next: String?) {
    stub.on(.get, "/items?page=\(number)", Self.response(items, next: next))
  }

  static func response(_ items: [Int], next: String?) -> StubTransport.Response {
    .json(
      "[\(items.map(String.init).joined(separator: ","))]",
      headers: next.map { ["Link": "<\($0)>; rel=\"next\""] } ?? [:])
  }

  /// Lets a page, counted from 1, fail from now on.
  func fail(_ number: Int) {
    stub.on(.get, "/items?page=\(number)", .status(500))
  }

  /// Loads everything.
  nonisolated(nonsending) func loadAll() async {
    list.loadAll()
    await list.settled()
    stub.forgetRequests()
    mirror.forget()
  }

  /// The page resource, counted from 1, as a view would get it.
  func page(_ number: Int) -> Resource<Page<Int>> {
    service.resource("items?page=\(number)", decoder: .page(.linkHeader))
  }

  /// The pages that were requested since the last `forgetRequests`, by their numbers.
  var asked: [Int] {
    stub.requests.map { Int($0.url.query?.split(separator: "=").last ?? "") ?? 0 }
  }
}
