import Freshet

/// A list of pages as a server would have it, all made in advance: the cost of making and decoding
/// them is not measured.
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
    pages[pageNumber(in: url)]
  }
}

/// The number at the end of a URL.
func pageNumber(in url: String) -> Int {
  var number = 0
  var weight = 1
  for byte in url.utf8.reversed() {
    guard byte >= 48, byte <= 57 else { break }
    number += Int(byte - 48) * weight
    weight *= 10
  }
  return number
}

extension PagedList<Int> {
  /// Makes pages of consecutive numbers, 50 to a page by default.
  init(pageCount: Int, size: Int = 50) {
    self.init(pageCount: pageCount) { page in Array(page * size..<(page + 1) * size) }
  }
}

/// The page, off the store's actor.
@concurrent
func response(_ page: Int, of list: PagedList<Int>) async -> Page<Int> {
  list.pages[page]
}
