/// Several splices composed to one change: disjoint pieces of the old array, in ascending order and
/// with unchanged elements between them, each with its replacement.
///
/// An element that is inserted and removed again, or removed and put back in its place, is not part
/// of it.
struct SpliceComposition<Item> {
  /// A piece of the old array and its replacement.
  struct Piece {
    /// The offset of the piece in the old array.
    var oldOffset: Int
    /// The offset of the replacement in the new array.
    var newOffset: Int
    var old: ArraySlice<Item>
    var new: ArraySlice<Item>

    var oldEnd: Int { oldOffset + old.count }
    var newEnd: Int { newOffset + new.count }
  }

  private(set) var pieces: [Piece] = []

  /// Composes splices.
  ///
  /// - Complexity: O(*s* + *k*) in splices and items if the splices come in ascending order;
  ///   otherwise each splice may cost O(*s*) more.
  init(_ splices: [PagedChange<Item>.Splice]) {
    for splice in splices where !splice.isEmpty { append(splice) }
  }

  /// The pieces as splices that can be applied in order.
  ///
  /// - Parameter areEqual: if given, items at both ends of a piece that are equal to what they
  ///   replace stay out of it.
  func splices(areEqual: ((Item, Item) -> Bool)? = nil) -> [PagedChange<Item>.Splice] {
    pieces.map { piece in
      let splice = PagedChange.Splice(
        at: piece.newOffset, removing: piece.old, inserting: piece.new)
      return areEqual.map(splice.trimmed) ?? splice
    }
    .filter { !$0.isEmpty }
  }

  private mutating func append(_ splice: PagedChange<Item>.Splice) {
    // The pieces that the splice touches become one with it.
    let first = pieces.firstIndex(endingAtOrAfter: splice.offset)
    var end = first
    while end < pieces.count, pieces[end].newOffset <= splice.removedRange.upperBound { end += 1 }
    let touched = pieces[first..<end]
    let grown = splice.insertedItems.count - splice.removedItems.count
    for index in end..<pieces.count { pieces[index].newOffset += grown }
    if let last = touched.last, touched.count == 1, splice.offset == last.newEnd {
      // In ascending order, the usual case: the piece grows at its end.
      pieces[first].old += splice.removedItems
      pieces[first].new += splice.insertedItems
    } else {
      pieces.replaceSubrange(first..<end, with: [merged(splice, touched, before: first)])
    }
  }

  private func merged(
    _ splice: PagedChange<Item>.Splice, _ touched: ArraySlice<Piece>, before first: Int
  ) -> Piece {
    let shift = first == 0 ? 0 : pieces[first - 1].newEnd - pieces[first - 1].oldEnd
    let start = min(splice.offset, touched.first?.newOffset ?? splice.offset)
    let end = max(splice.removedRange.upperBound, touched.last?.newEnd ?? 0)
    var piece = Piece(oldOffset: start - shift, newOffset: start, old: [], new: [])
    // The elements before the splice, item by item: unchanged ones are all within the splice.
    var offset = start
    for other in touched {
      piece.old += splice.removedItems(in: offset..<max(offset, other.newOffset))
      piece.old += other.old
      offset = other.newEnd
    }
    piece.old += splice.removedItems(in: offset..<max(offset, end))
    if let other = touched.first, other.newOffset < splice.offset {
      piece.new += other.new.prefix(splice.offset - other.newOffset)
    }
    piece.new += splice.insertedItems
    if let other = touched.last, other.newEnd > splice.removedRange.upperBound {
      piece.new += other.new.suffix(other.newEnd - splice.removedRange.upperBound)
    }
    return piece
  }
}

extension PagedChange {
  /// Composes splices to one change, without items that are equal to those they replace; nil if nothing is left.
  ///
  /// Called outside of any access to the list, because the comparison may run code that reads it.
  ///
  /// - Parameter isRenumbered: whether the items have other indices: that is a change even without splices.
  // Inlined for the reason of ``ShownItems``.
  @inline(__always)
  init?(
    composing splices: [Splice]?, firstItemIndex: Int, isRenumbered: Bool,
    areEqual: ((Item, Item) -> Bool)?
  ) {
    if let splices, splices.count == 1 {
      var splice = splices[0]
      let count = splice.removedItems.count
      if let areEqual { splice = splice.trimmed(by: areEqual) }
      guard !splice.isEmpty || isRenumbered else { return nil }
      // Usually it stays as it is: not making its array again saves 6 % of a merge.
      let isSame = splice.removedItems.count == count
      self.init(
        isSame ? splices : splice.isEmpty ? [] : [splice], firstItemIndex: firstItemIndex)
    } else {
      var splices = splices ?? []
      // Before they are composed, because equal items may then be between pieces, and not at their ends.
      if let areEqual { splices = splices.map { $0.trimmed(by: areEqual) } }
      splices = SpliceComposition(splices).splices(areEqual: isRenumbered ? nil : areEqual)
      guard !splices.isEmpty || isRenumbered else { return nil }
      self.init(splices, firstItemIndex: firstItemIndex)
    }
  }
}

extension PagedChange.Splice {
  /// The splice without the items at both ends that are equal to those they replace; it may be that
  /// nothing is left of it.
  func trimmed(by areEqual: (Item, Item) -> Bool) -> Self {
    let (old, new) = (removedItems, insertedItems)
    var (first, newFirst) = (old.startIndex, new.startIndex)
    var (end, newEnd) = (old.endIndex, new.endIndex)
    while first < end, newFirst < newEnd, areEqual(old[first], new[newFirst]) {
      first += 1
      newFirst += 1
    }
    while first < end, newFirst < newEnd, areEqual(old[end - 1], new[newEnd - 1]) {
      end -= 1
      newEnd -= 1
    }
    return Self(
      at: offset + first - old.startIndex, removing: old[first..<end],
      inserting: new[newFirst..<newEnd])
  }

  /// The removed items in a range of the array before this step.
  fileprivate func removedItems(in range: Range<Int>) -> ArraySlice<Item> {
    guard !range.isEmpty else { return [] }
    let start = removedItems.startIndex - offset
    return removedItems[(start + range.lowerBound)..<(start + range.upperBound)]
  }
}

extension Array {
  /// The first piece whose new end is at that offset or after it; the pieces are in ascending order.
  fileprivate func firstIndex<Item>(endingAtOrAfter offset: Int) -> Int
  where Element == SpliceComposition<Item>.Piece {
    // Nearly always the splices ascend too.
    if let last, last.newEnd < offset { return count }
    return partitionPoint { $0.newEnd >= offset }
  }
}
