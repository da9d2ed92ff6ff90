import Foundation
import Freshet

/// The first load of a list in numbered pages, four requests at once, compared to one by one.
func loadAhead(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.wants("load.ahead") else { return }
  // The first page has the number of pages, so it is loaded alone: 9 times the latency against 33.
  let server = NumberedPages(pageCount: 33)
  await run.compare([
    Comparison(
      "load.ahead", n: server.pageCount, unit: .nsPerPage, per: server.pageCount,
      ours: loads(from: server, concurrently: 4, on: actor),
      floor: .init(name: "one by one", work: loads(from: server, concurrently: 1, on: actor)))
  ])
}

private func loads(
  from server: NumberedPages, concurrently width: Int, on actor: isolated StoreActor
) -> Work {
  { iterations in
    var elapsed = Duration.zero
    for _ in 0..<iterations {
      actor.assertIsolated()
      let service = Service(instant: server.delayed(by: .milliseconds(20)))
      let start = ContinuousClock.now
      let collection = service.pages(
        "/items", of: Int.self, style: .pageNumber("page", totalPageCount: "total_pages"),
        options: .concurrent(width))
      collection.loadAll()
      await collection.settled()
      elapsed += ContinuousClock.now - start
      precondition(
        collection.items.elementsEqual(0..<server.itemCount), "load.ahead: the items are not those")
    }
    return elapsed
  }
}

/// Responds at once with a page of a list and the number of its pages.
private struct NumberedPages: Transport {
  private static let size = 50

  let pageCount: Int
  var itemCount: Int { pageCount * Self.size }

  @concurrent
  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse {
    let number = max(pageNumber(in: request.urlString), 1)
    let items = Array((number - 1) * Self.size..<number * Self.size)
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"],
      body: Data(#"{"items":\#(items),"total_pages":\#(pageCount)}"#.utf8), to: request)
  }
}
