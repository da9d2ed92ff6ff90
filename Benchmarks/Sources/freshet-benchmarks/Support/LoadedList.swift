import Freshet

/// A list that is loaded and fresh, with its owners.
final class LoadedList<Item: Sendable> {
  let service: Service
  let list: PagedList<Item>
  let pages: [Resource<Page<Item>>]
  let collection: PagedCollection<Item>

  /// Fills the pages by local writes, which takes less time than loading them.
  ///
  /// - Parameter make: makes the collection.
  init(
    _ list: PagedList<Item>, isolation: isolated any Actor = #isolation,
    make: (Resource<Page<Item>>, PagedCollection<Item>.Options) -> PagedCollection<Item>
  ) {
    service = Service(instant: InstantTransport())
    self.list = list
    var page = service.resource(list.path, decoder: list.decoder)
    var pages = [page]
    for content in list.pages {
      page.overrideLocalContent(content)
      guard let link = content.next, let next = try? page.following(link) else { break }
      page = next
      pages.append(page)
    }
    precondition(pages.count == list.pages.count, "LoadedList: the links do not lead to the end")
    self.pages = pages
    collection = make(pages[0], .unlimited())
    collection.loadAll()
    precondition(collection.pageCount == pages.count, "LoadedList: not all pages are walked")
  }
}

extension LoadedList where Item: Equatable {
  convenience init(_ list: PagedList<Item>, isolation: isolated any Actor = #isolation) {
    self.init(list) { PagedCollection(firstPage: $0, options: $1) }
  }
}

extension PagedCollection.Options {
  /// No limit on the number of pages.
  static func unlimited() -> Self {
    var options = Self()
    options.pageLimit = .max
    options.itemLimit = .max
    return options
  }
}
