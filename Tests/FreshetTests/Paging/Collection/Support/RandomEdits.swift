import Freshet

/// Optimistic edits of lists of numbers, made and ended at random.
///
/// They end whenever it happens: after their page was loaded again, was dropped from a window, or was
/// wiped.
final class RandomEdits {
  private var pending: [ContentUpdate] = []
  /// The items that are inserted are smaller than this.
  private let limit: Int

  init(ofItemsBelow limit: Int) {
    self.limit = limit
  }

  /// Inserts, removes or changes an item of a list or page, or ends an edit of any of them.
  ///
  /// - Parameter seed: fixes what it does: observers that are notified of that may need the generator.
  /// - Returns: what it did.
  func edit(_ list: PagedCollection<Int>, _ page: Resource<Page<Int>>, seed: UInt64) -> String {
    var random = SeededGenerator(seed: seed)
    if !pending.isEmpty, random.chance(0.6) { return endOne(&random) }
    let item = Int.random(in: 0..<limit, using: &random)
    let isIdentified = list.options.identity != nil
    let update: ContentUpdate?
    let description: String
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where isIdentified:
      let shown = list.items.randomElement(using: &random) ?? item
      description = "remove \(shown)"
      update = list.remove(identifiedBy: shown)
    case 1 where isIdentified:
      let shown = list.items.randomElement(using: &random) ?? item
      description = "change \(shown)"
      let limit = limit
      update = list.update(identifiedBy: shown) { $0 = ($0 + 1) % limit }
    case 2:
      description = "remove the last item of \(page)"
      update = page.updateContent { _ = $0.items.popLast() }
    case 3:
      description = "remove all items of \(page)"
      update = page.updateContent { $0.items = [] }
    default:
      let index = Int.random(in: 0...list.items.count, using: &random)
      description = "insert \(item) at \(index)"
      update = list.insert(item, at: index)
    }
    if let update { pending.append(update) }
    return description
  }

  private func endOne(_ random: inout SeededGenerator) -> String {
    let update = pending.remove(at: Int.random(in: pending.indices, using: &random))
    let isCommitted = random.chance(0.5)
    isCommitted ? update.commit() : update.rollBack()
    return isCommitted ? "commit an edit" : "roll back an edit"
  }

  /// Ends all edits. What was committed stays until its page is loaded again.
  func endAll(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    while !pending.isEmpty { _ = endOne(&random) }
  }
}
