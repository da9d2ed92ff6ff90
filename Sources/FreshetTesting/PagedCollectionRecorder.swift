import Freshet

/// Records the events of lists of pages: changes of the items, and states, in order.
///
/// ```swift
/// let recorder = PagedCollectionRecorder<Int>()
/// list.addObserver(recorder)
/// list.loadAll()
/// await list.settled()
/// #expect(
///   recorder.lines == [
///     "observerAdded", "stateChanged(loading)", "itemsChanged(0..<0 → [1, 2])",
///     "previousStateChanged(ended)", "stateChanged(ended)",
///   ])
/// ```
public final class PagedCollectionRecorder<Item: Sendable>: Recorder<
  PagedCollectionRecorder<Item>.Entry
>, PagedCollectionObserver
{
  /// One event, and the state of the list when it was received.
  public struct Entry: RecordedEvent {
    /// The list.
    public let source: PagedCollection<Item>
    /// The event.
    public let event: PagedCollectionEvent<Item>
    /// The number of items that the list had.
    public let itemCount: Int

    /// The event as text, such as `stateChanged(loading)`; for a change, the range and the new
    /// items of each splice, such as `itemsChanged(2..<3 → [7, 8])`.
    public var line: String {
      guard case .itemsChanged(let change) = event else { return event.description }
      let splices = change.splices.map { "\($0.removedRange) → \(Array($0.insertedItems))" }
      return "itemsChanged(\(splices.joined(separator: ", ")))"
    }

    /// The event, and the number of items.
    public var description: String { "\(line), \(itemCount) items" }
  }

  /// The changes of the items, in order.
  public var changes: [PagedChange<Item>] {
    events.compactMap { if case .itemsChanged(let change) = $0 { change } else { nil } }
  }

  /// The values of `PagedCollection.state`, in order.
  public var states: [PagedCollectionState] {
    events.compactMap { if case .stateChanged(let state) = $0 { state } else { nil } }
  }

  /// Records the event.
  public func collectionChanged(
    _ collection: PagedCollection<Item>, event: PagedCollectionEvent<Item>
  ) {
    record(Entry(source: collection, event: event, itemCount: collection.items.count))
  }
}
