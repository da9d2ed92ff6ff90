import Foundation

@testable import Freshet

extension PagedCollection {
  /// What of the list's properties describes another state than the others do; nil where all agree.
  ///
  /// - Parameter isWhole: whether no items of an older chain may stay after the pages.
  func inconsistency(isWhole: Bool) -> String? {
    let pages = pages
    guard pages.count == pageCount else { return "\(pages.count) pages of \(pageCount)" }
    var end = 0
    for index in pages.indices {
      let range = itemRange(ofPage: index)
      guard range.lowerBound == end else { return "page \(index) has \(range), not from \(end)" }
      end = range.upperBound
    }
    guard end <= items.count else { return "pages have \(end) items of \(items.count)" }
    guard end == items.count || !isWhole else { return "pages have \(end) items of \(items.count)" }
    guard duplicateCount >= 0 else { return "\(duplicateCount) duplicates" }
    return inconsistencyAtStart
  }

  /// What the state at the start says of other pages than those that are shown; nil where it agrees with these.
  var inconsistencyAtStart: String? {
    let isAtStart = pageCount > 0 && !hasPreviousPage
    return switch previousState {
    case .ended where !isAtStart:
      "the start is ended, with \(pageCount) pages, and others before them: \(hasPreviousPage)"
    case .idle where isAtStart: "the start is idle, with no page before the first"
    default: nil
    }
  }
}

extension PagedCollection {
  /// The pages in memory, and the requested one beyond the end.
  var knownPages: [PageResource] {
    let beyond = list.end.beyond.map { [Self.resource($0)] } ?? []
    return list.chain.slots.map { Self.resource($0.page) } + beyond
  }

  /// The invariant whenever no event is being delivered: nothing counts as loading that no page
  /// under way will end.
  var stuck: String? {
    // With one request at once, the end waits for its turn after the start.
    let isNext = list.walk.isWalking && list.start.awaited?.isLoading == true
    if state.isLoading || refreshState.isLoading, list.end.awaited?.isLoading != true, !isNext {
      return """
        \(state), refresh \(refreshState), and no page is loading; awaited \
        \(list.end.awaited?.description ?? "none"), \(list.walk)
        """
    }
    // Where the list was begun again to find the page before it, the start waits for its turn after the end, and after
    // a page that was requested ahead before the walk failed.
    let isOthersTurn =
      list.walk.isWalking && list.end.awaited?.isLoading == true
      || list.loads.count >= list.loads.width
    let isStartNext = list.demand.wantsPrevious && isOthersTurn
    if previousState.isLoading, list.start.awaited?.isLoading != true, !isStartNext {
      return """
        \(previousState) at the start, and no page is loading; awaited \
        \(list.end.awaited?.description ?? "none"), \(list.walk)
        """
    }
    return nil
  }
}

/// The properties of a list, to be compared with those at another time.
struct ListDescription: Equatable {
  let items: [Int]
  let pages: [String]
  let ranges: [Range<Int>]
  let firstItemIndex: Int
  let duplicateCount: Int
  let totalCount: Int?
  let isEnded: Bool
  let isAtStart: Bool

  init(_ list: PagedCollection<Int>) {
    items = list.items
    pages = list.pages.map { $0.url?.absoluteString ?? "" }
    ranges = (0..<list.pageCount).map(list.itemRange(ofPage:))
    firstItemIndex = list.firstItemIndex
    duplicateCount = list.duplicateCount
    totalCount = list.totalCount
    isEnded = list.isEnded
    isAtStart = list.previousState == .ended
  }
}

extension PagedCollection<Int> {
  /// Whether these are the items, in their order.
  ///
  /// Which copy of an item is the newest depends on the order of the responses. So where the newest one
  /// is shown and several pages load at once, the order of the items is not compared.
  func hasSameItems(as expected: [Int]) -> Bool {
    let isOrdered = options.identity?.choice != .newest || options.concurrentLoads == 1
    return isOrdered ? items == expected : items.sorted() == expected.sorted()
  }
}

extension PagedCollection where Item: Hashable {
  /// How the items differ from those of the pages; nil where they do not. For a list that shows all of its
  /// pages, and of several copies of an item the first.
  var inconsistencyWithPages: String? {
    var held = pages.flatMap { $0.content?.items ?? [] }
    guard options.identity?.choice != .newest else { return nil }
    if options.identity != nil {
      var seen: Set<Item> = []
      held = held.filter { seen.insert($0).inserted }
    }
    return held == items ? nil : "the pages have \(held), the list \(items)"
  }
}
