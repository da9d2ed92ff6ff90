/// The resources of pages that a paginator observes, by the numbers that they were requested with.
struct PaginatorResources<Item: Sendable> {
  typealias PageResource = Resource<PaginatorPage<Item>>

  private(set) var byPage: [Int: PageResource] = [:]
  private var pages: [PageResource.ID: Int] = [:]

  subscript(page: Int) -> PageResource? { byPage[page] }

  /// The number that a page was requested with; nil if its resource is not observed.
  func page(of resource: AnyResource) -> Int? { pages[resource.id] }

  mutating func insert(_ resource: PageResource, for page: Int) {
    byPage[page] = resource
    pages[resource.id] = page
  }

  /// Removes the resources of all pages but one.
  mutating func removeAll(except exception: Int?) -> [PageResource] {
    let removed = byPage.filter { $0.key != exception }
    for (page, resource) in removed {
      byPage[page] = nil
      pages[resource.id] = nil
    }
    return Array(removed.values)
  }

  func checkInvariants() {
    precondition(pages.count == byPage.count, "a resource is of two pages")
    precondition(byPage.allSatisfy { pages[$0.value.id] == $0.key }, "a resource is of no page")
  }
}
