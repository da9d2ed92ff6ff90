import Foundation
import Freshet
import FreshetTesting

/// A list in numbered pages that link both ways, and a mirror of it.
struct TwoWayListFixture {
  let fixture: PageListFixture
  let list: PagedCollection<Int>
  let mirror = ListMirror<Int>()

  /// - Parameter start: the page that the list begins with, from 1.
  init(
    _ pages: [[Int]], startingAt start: Int, isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in }
  ) {
    fixture = PageListFixture([])
    list = fixture.service.pages(
      "items?page=\(start)", of: Int.self, style: .linkHeader, options: .with(options))
    list.addObserver(mirror)
    serve(pages)
  }

  /// Serves these pages from now on.
  func serve(_ pages: [[Int]]) {
    for (index, items) in pages.enumerated() {
      let number = index + 1
      let links = [
        number < pages.count ? "</items?page=\(number + 1)>; rel=\"next\"" : nil,
        number > 1 ? "</items?page=\(number - 1)>; rel=\"prev\"" : nil,
      ]
      fixture.stub.on(
        .get, "/items?page=\(number)",
        .json(
          "[\(items.map(String.init).joined(separator: ","))]",
          headers: ["Link": links.compactMap { $0 }.joined(separator: ", ")]))
    }
  }

  var asked: [Int] { fixture.asked }

  /// Loads the pages from the start on, and fails to load the one before it, the first of all.
  nonisolated(nonsending) func loadedWithFailedPrevious() async {
    list.loadAll()
    await settled()
    fixture.fail(1)
    list.loadPreviousPage()
    await list.settled()
  }

  /// Loads what is wanted, and forgets the requests.
  nonisolated(nonsending) func settled() async {
    await list.settled()
    fixture.stub.forgetRequests()
  }
}
