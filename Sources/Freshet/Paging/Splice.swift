/// One step that turns the old array of a paged collection into the new one.
///
/// The splices of one change are applied in order, each to the array that the one before it left:
///
/// ```swift
/// for splice in splices { copy.replaceSubrange(splice.removed, with: splice.inserted) }
/// ```
public struct Splice<Item> {
  /// What goes, in the array as it is before this step.
  public let removed: Range<Int>
  /// What comes in its place, beginning at `removed.lowerBound`.
  public let inserted: ArraySlice<Item>

  /// Makes a splice.
  public init(removed: Range<Int>, inserted: ArraySlice<Item>) {
    self.removed = removed
    self.inserted = inserted
  }

  /// Where the inserted items are in the array after this step.
  public var insertedRange: Range<Int> {
    removed.lowerBound..<(removed.lowerBound + inserted.count)
  }

  /// Whether the step changes nothing.
  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }
}

extension Splice: Sendable where Item: Sendable {}
