import Testing

@testable import Freshet

@Suite("How many items are wanted")
struct PageDemandTests {
  @Test("One item is wanted at first")
  func atFirst() {
    var demand = PageDemand()
    expect(&demand, covered: false, by: 0)
    expect(&demand, covered: true, by: 1)
  }

  @Test("The most that was wanted counts")
  func theMostCounts() {
    var demand = PageDemand()
    demand.display(4)
    demand.want(upTo: 7)
    demand.want(upTo: 5)
    expect(&demand, covered: false, by: 6)
    expect(&demand, covered: true, by: 7)
  }

  @Test("Displayed items stay wanted, a one-time demand is cleared when its items are loaded")
  func cleared() {
    var demand = PageDemand()
    demand.display(4)
    demand.want(upTo: 7)
    demand.clear()
    expect(&demand, covered: true, by: 4)
    expect(&demand, covered: false, by: 3)
  }

  @Test("More than is loading is one item more than there is afterwards, once")
  func moreThanIsLoading() {
    var demand = PageDemand()
    demand.demandMoreThanIsLoading()
    demand.demandMoreThanIsLoading()
    expect(&demand, covered: false, by: 6)
    expect(&demand, covered: false, by: 6)
    expect(&demand, covered: true, by: 7)
  }

  @Test("More than there is, with nothing loading, is one item more")
  func moreThanThereIs() {
    var demand = PageDemand()
    demand.wantMore(than: 3)
    expect(&demand, covered: false, by: 3)
    expect(&demand, covered: true, by: 4)
  }

  @Test("Clearing forgets what was to come after the page that was loading")
  func clearingForgetsMore() {
    var demand = PageDemand()
    demand.demandMoreThanIsLoading()
    demand.clear()
    expect(&demand, covered: true, by: 1)
  }

  @Test("Pages are wanted until they are loaded, empty or not, beside the items")
  func pages() {
    var demand = PageDemand(budget: 1)
    demand.want(pagesUpTo: 3)
    demand.want(pagesUpTo: 2)
    expect(&demand, covered: false, by: 100, pages: 2)
    expect(&demand, covered: true, by: 1, pages: 3)
    expect(&demand, covered: false, by: 0, pages: 3)
    #expect((2...3).map { demand.wants(page: $0) } == [true, false])
    #expect((0..<2).map { _ in demand.spend() } == [true, false])
    demand.clear()
    expect(&demand, covered: true, by: 1, pages: 0)
  }

  /// Counts what is wanted beyond the pages that were loading, and evaluates the condition.
  private func expect(
    _ demand: inout PageDemand, covered: Bool, by count: Int, pages: Int = .max,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let extent = ListExtent(itemCount: count, itemEnd: count, pageEnd: pages)
    demand.resolveMore(extent)
    #expect(demand.covers(extent) == covered, sourceLocation: sourceLocation)
  }
}
