/// One step that turns the old array of a paged collection into the new one.
///
/// The splices of one change are applied in order, each to the array that the one before it left:
///
/// ```swift
/// for splice in change.splices { copy.replaceSubrange(splice.removed, with: splice.inserted) }
/// ```
public struct Splice<Item> {
  /// The offset of the step, in the array before it.
  public let offset: Int
  /// The removed items.
  public let removedItems: ArraySlice<Item>
  /// The items inserted in their place.
  public let inserted: ArraySlice<Item>

  /// Makes a splice.
  public init(at offset: Int, removing removedItems: ArraySlice<Item>, inserting: ArraySlice<Item>)
  {
    self.offset = offset
    self.removedItems = removedItems
    inserted = inserting
  }

  /// The range of the removed items, in the array before this step.
  public var removed: Range<Int> { offset..<(offset + removedItems.count) }

  /// The range of the inserted items, in the array after this step.
  public var insertedRange: Range<Int> { offset..<(offset + inserted.count) }

  /// Whether the step changes nothing.
  public var isEmpty: Bool {
    // Of both slices, what is known without looking up the type of the items.
    removedItems.startIndex == removedItems.endIndex && inserted.startIndex == inserted.endIndex
  }
}

extension Splice: Sendable where Item: Sendable {}
