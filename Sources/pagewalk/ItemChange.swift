import Freshet

/// The change of one item between two versions of a list.
enum ItemChange: Equatable {
  case inserted(JSONText)
  case removed(JSONText)
  case replaced(JSONText)

  /// The item as `--refresh` prints it.
  var line: String {
    switch self {
    case .inserted(let item): "+ \(item)"
    case .removed(let item): "- \(item)"
    case .replaced(let item): "~ \(item)"
    }
  }

  /// The changes that lead from one list to another, in the order of the list.
  ///
  /// Items that occur exactly once in both lists and in the same order stay ("patience diff");
  /// between them, pairs of items count as replaced, unless their members `id` differ, the others as removed and
  /// inserted.
  ///
  /// - Complexity: O(*n* log *n*) in the items, O(*n*) if they are equal except for one place.
  static func changes(from old: [JSONText], to new: [JSONText]) -> [ItemChange] {
    var changes: [ItemChange] = []
    appendChanges(from: old[...], to: new[...], usingAnchors: true, &changes)
    return changes
  }

  /// The changes that lead from one list to another if items have an identity: one whose content
  /// changed counts as replaced, one that has moved as removed and inserted, in this order: a program that keeps the
  /// items by their identity would lose it by the other one.
  ///
  /// - Complexity: O(*n* log *n*) in the items.
  static func changes(
    from old: [JSONText], to new: [JSONText], by identity: (JSONText) -> JSONText?
  ) -> [ItemChange] {
    let difference = ItemDifference(
      from: old, to: new, by: { identity($0) ?? $0 }, areEqual: ==)
    let going = Set(difference.removals + difference.moves.map(\.from))
    let coming = Set(difference.insertions + difference.moves.map(\.to))
    let origins = Dictionary(uniqueKeysWithValues: difference.moves.map { ($0.to, $0.from) })
    let updated = Set(difference.updates)
    var goneEarly: Set<Int> = []
    var changes: [ItemChange] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if goneEarly.contains(left) {
        left += 1
      } else if going.contains(left) {
        changes.append(.removed(old[left]))
        left += 1
      } else if coming.contains(right) {
        if let origin = origins[right], origin > left {
          changes.append(.removed(old[origin]))
          goneEarly.insert(origin)
        }
        changes.append(.inserted(new[right]))
        right += 1
      } else {
        if updated.contains(right) { changes.append(.replaced(new[right])) }
        left += 1
        right += 1
      }
    }
    return changes
  }

  private static func appendChanges(
    from old: ArraySlice<JSONText>, to new: ArraySlice<JSONText>, usingAnchors: Bool,
    _ changes: inout [ItemChange]
  ) {
    var (old, new) = (old, new)
    while let left = old.first, let right = new.first, left == right {
      old.removeFirst()
      new.removeFirst()
    }
    while let left = old.last, let right = new.last, left == right {
      old.removeLast()
      new.removeLast()
    }
    guard !old.isEmpty || !new.isEmpty else { return }
    guard usingAnchors, !old.isEmpty, !new.isEmpty else {
      return appendGap(old, new, &changes)
    }
    var (oldStart, newStart) = (old.startIndex, new.startIndex)
    for anchor in anchors(old, new) + [(old.endIndex, new.endIndex)] {
      appendChanges(
        from: old[oldStart..<anchor.old], to: new[newStart..<anchor.new], usingAnchors: false,
        &changes)
      (oldStart, newStart) = (anchor.old + 1, anchor.new + 1)
    }
  }

  private static func appendGap(
    _ old: ArraySlice<JSONText>, _ new: ArraySlice<JSONText>, _ changes: inout [ItemChange]
  ) {
    guard old.count == new.count else {
      changes += old.map(ItemChange.removed)
      changes += new.map(ItemChange.inserted)
      return
    }
    for (old, new) in zip(old, new) where old != new {
      changes += mayBeSame(old, new) ? [.replaced(new)] : [.removed(old), .inserted(new)]
    }
  }

  /// Whether an item may be another version of one: not if both have an `id`, and not the same one.
  private static func mayBeSame(_ old: JSONText, _ new: JSONText) -> Bool {
    guard let left = old.identity(at: "id"), let right = new.identity(at: "id") else { return true }
    return left == right
  }

  /// The items that occur once in each list, as many as can keep their order.
  private static func anchors(
    _ old: ArraySlice<JSONText>, _ new: ArraySlice<JSONText>
  ) -> [(old: Int, new: Int)] {
    let oldPlaces = uniquePlaces(old)
    let newPlaces = uniquePlaces(new)
    let pairs = oldPlaces.compactMap { bytes, old in newPlaces[bytes].map { (old: old, new: $0) } }
      .sorted { $0.old < $1.old }

    return pairs.map(\.new).longestIncreasing.map { pairs[$0] }
  }

  /// The indices of the items that occur once. Keyed by arrays: `Data` hashes only its first 80
  /// bytes, which many items have in common.
  private static func uniquePlaces(_ items: ArraySlice<JSONText>) -> [[UInt8]: Int] {
    var positions: [[UInt8]: Int?] = [:]
    for (index, item) in zip(items.indices, items) {
      let bytes = Array(item.bytes)
      positions[bytes] = .some(positions[bytes] == nil ? index : nil)
    }
    return positions.compactMapValues { $0 }
  }
}
