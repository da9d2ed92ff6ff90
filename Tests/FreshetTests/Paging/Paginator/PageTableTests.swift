import Testing

@testable import Freshet

@Suite("A table of numbered pages")
struct PageTableTests {
  private func actions(_ actions: [PageTable<Int>.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .request(let page, let always): "request \(page)\(always ? " always" : "")"
      case .cancel(let page): "cancel \(page)"
      case .release(let page): "release all" + (page.map { " but \($0)" } ?? "")
      case .notify(let event): "\(event)"
      }
    }
  }

  private func page(_ items: [Int], size: Int) -> PaginatorPage<Int> {
    PaginatorPage(items: items, totals: PaginatorTotals(perPage: size))
  }

  @Test("A page whose size is another one every time is requested again only once")
  func restlessServer() {
    var table = PageTable<Int>(firstPageNumber: 1, perPage: 25, countsItems: true)
    #expect(actions(table.requested(3, always: false)) == ["request 3"])
    #expect(
      actions(table.received(3, page([50], size: 10)))
        == ["release all", "slotsChanged", "request 3"])
    #expect(
      actions(table.received(3, page([20], size: 7))) == [
        "release all but 3", "slotsChanged",
      ])
    #expect(actions(table.changed(3, to: .loaded)) == ["loaded(3)"])
    #expect(table.perPage == 7 && table.slots.count == 15)
  }

  @Test("A pending page is requested again when another page has another size")
  func otherPageSize() {
    var table = PageTable<Int>(firstPageNumber: 1, perPage: 2, countsItems: false)
    _ = table.requested(2, always: false)
    #expect(
      actions(table.received(1, page([1, 2, 3], size: 3)))
        == ["release all but 1", "slotsChanged", "request 2"])
    #expect(table.pendingPage == 2 && table.slots.count == 3)
  }

  @Test("A page of which nothing came is not loaded")
  func nothingCame() {
    var table = PageTable<Int>(firstPageNumber: 1, perPage: 2, countsItems: false)
    _ = table.requested(1, always: false)
    #expect(actions(table.changed(1, to: .loaded)).isEmpty)
    #expect(table.currentPage == nil && table.pendingPage == nil)
  }

  @Test("Where the server moves a page, it stands at its new number")
  func moved() {
    var table = PageTable<Int>(firstPageNumber: 1, perPage: 1, countsItems: false)
    let totals = PaginatorTotals(currentPage: 2)
    _ = table.received(9, PaginatorPage(items: [9], totals: totals))
    _ = table.received(8, PaginatorPage(items: [8], totals: totals))
    #expect(table.layout.map(\.number) == [2] && table.layout.first?.items == [8], "the newer one")
    _ = table.received(2, PaginatorPage(items: [2]))
    _ = table.received(9, PaginatorPage(items: [99], totals: totals))
    #expect(table.layout.first?.items == [2], "what was asked for as 2")
    let below = PaginatorTotals(currentPage: 0)
    _ = table.received(3, PaginatorPage(items: [3], totals: below))
    #expect(table.number(of: 3) == 3, "there is no page 0")
  }

  @Test("A page that stops describing the list is not believed any more")
  func silent() {
    var table = PageTable<Int>(firstPageNumber: 1, perPage: 1, countsItems: false)
    let totals = PaginatorTotals(totalPageCount: 5, totalCount: 5)
    _ = table.received(1, PaginatorPage(items: [1], totals: totals))
    #expect(table.totalPageCount == 5 && table.slots.count == 5)
    _ = table.received(1, PaginatorPage(items: [1]))
    #expect(table.totalPageCount == nil && table.slots.count == 1)
  }
}
