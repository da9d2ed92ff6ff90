import Freshet

/// A list of pages as a server would have it, each known before anybody asks: what it costs to make
/// and to decode is not what is measured.
struct PagedList<Item: Sendable>: Sendable {
  let pages: [Page<Item>]

  init(pageCount: Int, items: (_ page: Int) -> [Item]) {
    pages = (0..<pageCount).map { page in
      let next = page + 1 < pageCount ? PageLink(.follow("/items?page=\(page + 1)")) : nil
      return Page(items: items(page), next: next)
    }
  }

  /// How many items all pages have.
  var itemCount: Int { pages.reduce(0) { $0 + $1.items.count } }

  /// The path of the first page.
  var path: String { "/items?page=0" }

  /// Looks the page up by the number at the end of the URL.
  var decoder: ContentDecoder<Page<Item>> {
    ContentDecoder("known") { page(at: $0.key.url) }
  }

  /// The page at that URL.
  func page(at url: String) -> Page<Item> {
    pages[url.utf8.reversed().trailingNumber]
  }
}

extension Sequence<UInt8> {
  /// The number that these digits, least significant first, begin with.
  fileprivate var trailingNumber: Int {
    var number = 0
    var weight = 1
    for byte in self {
      guard byte >= 48, byte <= 57 else { break }
      number += Int(byte - 48) * weight
      weight *= 10
    }
    return number
  }
}

extension PagedList<Int> {
  /// Pages of consecutive numbers, 50 to a page unless told otherwise.
  init(pageCount: Int, size: Int = 50) {
    self.init(pageCount: pageCount) { page in Array(page * size..<(page + 1) * size) }
  }
}

/// Answers at once and with nothing in it; confirms what a client has.
struct InstantTransport: Transport {
  var headers: HTTPHeaders = [:]

  @concurrent
  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse {
    let isConditional = request.headers["If-None-Match"] != nil
    return HTTPResponse(
      status: isConditional ? 304 : 200, headers: headers, url: request.url)
  }
}

extension Service {
  /// A store without a network, whose content stays fresh for a day.
  convenience init(
    instant transport: some Transport = InstantTransport(),
    isolation: isolated any Actor = #isolation
  ) {
    self.init(baseURL: "https://bench.test", transport: transport)
    configure { $0.expirationTime = .seconds(86_400) }
  }
}

/// A list that is loaded and fresh, and what holds it.
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
    options.maximumPages = .max
    return options
  }
}
