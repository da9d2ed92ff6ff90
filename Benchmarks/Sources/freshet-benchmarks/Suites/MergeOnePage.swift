import Freshet

/// One page of a loaded list changes: the time until one observer of the list was notified.
func mergeOnePage(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  for position in MergeCase.Position.allCases {
    for growth in MergeCase.Growth.allCases {
      let isRepresentative = position == .middle
      for isHeld in [false, true] where !run.options.isQuick || isRepresentative {
        let kind = MergeCase(position: position, growth: growth, isHeld: isHeld)
        await kind.measure("int", in: run, on: actor) { page, index in page * 100 + index }
        await kind.measure("struct", in: run, on: actor) { page, index in
          Article(
            title: "The title of article \(index) on page \(page)",
            author: "The author of article \(index)")
        }
      }
    }
  }
}

/// An item with two strings that are too long to be stored inline.
struct Article: Sendable, Equatable, Codable {
  var title: String
  var author: String
}

/// How a page changes.
private struct MergeCase {
  enum Position: String, CaseIterable {
    case first
    case middle
    case last

    func index(of count: Int) -> Int {
      switch self {
      case .first: 0
      case .middle: count / 2
      case .last: count - 1
      }
    }
  }

  enum Growth: String, CaseIterable {
    case same
    case one
  }

  let position: Position
  let growth: Growth
  /// Whether a reader holds the array while it changes.
  let isHeld: Bool

  func measure<Item: Sendable & Equatable>(
    _ type: String, in run: BenchmarkRun, on actor: isolated StoreActor,
    item: (_ page: Int, _ index: Int) -> Item
  ) async {
    let hold = isHeld ? "held." : ""
    let name = "merge.onePage.\(hold)\(type).\(growth.rawValue).\(position.rawValue)"
    guard run.wants(name) else { return }
    let size = 50
    var comparisons: [Comparison] = []
    for count in run.sizes(10, 100, 1_000, 10_000, quick: 1_000) {
      let list = PagedList(pageCount: count) { page in (0..<size).map { item(page, $0) } }
      let other = (size..<(2 * size + (growth == .one ? 1 : 0))).map { item(count, $0) }
      comparisons.append(comparison(name, LoadedList(list), other: other))
    }
    await run.compare(comparisons)
  }

  private func comparison<Item: Sendable & Equatable>(
    _ name: String, _ loaded: LoadedList<Item>, other: [Item]
  ) -> Comparison {
    let index = position.index(of: loaded.pages.count)
    let page = loaded.pages[index]
    let contents = [page.content?.items ?? [], other]
    let entities = contents.map { items in
      var content = loaded.list.pages[index]
      content.items = items
      return ResourceEntity(content)
    }
    let collection = loaded.collection
    let observer = ChangeCounter<Item>()
    collection.addObserver(observer)
    // One variable each for the holder and the state, shared by the closures below.
    var held: [Item] = []
    var isOther = false
    let change = {
      isOther.toggle()
      page.overrideLocalContent(entities[isOther ? 1 : 0])
    }
    var rebuilt: [Item] = []
    return Comparison(
      name, n: loaded.pages.count,
      ours: isHeld
        ? repeating {
          held = collection.items
          change()
        } : repeating(change),
      floor: isHeld
        ? .init(name: "one copy", work: copying(collection.items))
        : .init(
          name: "replaceSubrange",
          work: replacing(in: collection.items, at: collection.itemRange(ofPage: index), contents)),
      naive: isHeld
        ? nil
        : repeating {
          isOther.toggle()
          page.overrideLocalContent(entities[isOther ? 1 : 0])
          rebuilt = loaded.pages.flatMap { $0.content?.items ?? [] }
          blackHole(rebuilt)
          withExtendedLifetime((observer, held)) {}
        })
  }

  /// Copies the array once, as a change does if another reference to it exists.
  private func copying<Item>(_ items: [Item]) -> Work {
    var own = items
    var held: [Item] = []
    guard let item = items.first else { preconditionFailure("merge.onePage: an empty list") }
    return repeating {
      held = own
      own[0] = item
      blackHole(held)
    }
  }

  /// Replaces the items of a page in an array with a unique reference.
  private func replacing<Item>(
    in items: [Item], at range: Range<Int>, _ contents: [[Item]]
  ) -> Work {
    var own = items
    // Makes it the only reference to its storage.
    own.reserveCapacity(items.count + 1)
    own[0] = items[0]
    var range = range
    var isOther = false
    return repeating {
      isOther.toggle()
      let new = contents[isOther ? 1 : 0]
      own.replaceSubrange(range, with: new)
      range = range.lowerBound..<(range.lowerBound + new.count)
    }
  }
}

/// An observer that reads the events it receives.
private final class ChangeCounter<Item: Sendable>: PagedCollectionObserver {
  private var count = 0

  func collectionChanged(
    _ collection: PagedCollection<Item>, event: PagedCollectionEvent<Item>
  ) {
    if case .itemsChanged(let change) = event { count += change.splices[0].insertedItems.count }
  }
}
