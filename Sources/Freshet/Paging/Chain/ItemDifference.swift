/// The changes of a list item by item, in the form that batch updates of list views take.
///
/// Offsets of removals and the origins of moves are those of the old array; all others are those of
/// the new one. Removing the removed and moved items, and then inserting the inserted and moved
/// ones by ascending offset, turns the old order into the new one.
public struct ItemDifference: Sendable, Hashable {
  /// An item whose place among the others changed.
  public struct Move: Sendable, Hashable {
    /// The offset of the moved item in the old array.
    public let from: Int
    /// The offset of the moved item in the new array.
    public let to: Int

    /// Creates a move.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// The offsets of the removed items in the old array, ascending.
  public private(set) var removals: [Int] = []
  /// The offsets of the inserted items in the new array, ascending.
  public private(set) var insertions: [Int] = []
  /// The moved items, in ascending order of their new offsets.
  public private(set) var moves: [Move] = []
  /// The offsets of the changed items in the new array, ascending. A moved item may be among them.
  public private(set) var updates: [Int] = []

  /// Whether nothing changed.
  public var isEmpty: Bool {
    removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// Computes the difference between an old array and a new one.
  ///
  /// - Complexity: O(*n* log *n*) in the items.
  public init<Item, ID: Hashable>(
    from old: [Item], to new: [Item], by id: (Item) -> ID,
    areEqual: (Item, Item) -> Bool = { _, _ in false }
  ) {
    self.init(
      SpliceComposition([PagedChange.Splice(at: 0, removing: old[...], inserting: new[...])]),
      id: id,
      areEqual: areEqual)
  }

  init<Item, ID: Hashable>(
    _ composition: SpliceComposition<Item>, id: (Item) -> ID, areEqual: (Item, Item) -> Bool
  ) {
    var removed: [ID: [(piece: Int, offset: Int, item: Item)]] = [:]
    for (number, piece) in composition.pieces.enumerated() {
      for (offset, item) in piece.old.enumerated() {
        removed[id(item), default: []].append((number, piece.oldOffset + offset, item))
      }
    }
    // Copies of one identity are matched in order.
    for key in removed.keys { removed[key]?.reverse() }
    for (number, piece) in composition.pieces.enumerated() {
      var kept: [(old: Int, new: Int)] = []
      for (offset, item) in piece.new.enumerated() {
        let newOffset = piece.newOffset + offset
        guard let match = removed[id(item)]?.popLast() else {
          insertions.append(newOffset)
          continue
        }
        if !areEqual(match.item, item) { updates.append(newOffset) }
        if match.piece == number {
          kept.append((match.offset, newOffset))
        } else {
          moves.append(Move(from: match.offset, to: newOffset))
        }
      }
      let still = Set(kept.map(\.old).longestIncreasing)
      for (index, pair) in kept.enumerated() where !still.contains(index) {
        moves.append(Move(from: pair.old, to: pair.new))
      }
    }
    removals = removed.values.joined().map(\.offset).sorted()
    moves.sort { $0.to < $1.to }
  }
}

extension [Int] {
  /// The indices of the elements of one of the longest increasing subsequences, ascending: of those that can keep their
  /// order.
  ///
  /// - Complexity: O(*n* log *n*).
  package var longestIncreasing: [Int] {
    // `ends[n]` is the index of the smallest value that ends a subsequence of n + 1 elements.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: count)
    for (index, value) in enumerated() {
      let length = ends.partitionPoint { self[$0] >= value }
      before[index] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var found: [Int] = []
    var next = ends.last
    while let index = next {
      found.append(index)
      next = before[index]
    }
    return found.reversed()
  }
}
