/// Writes down the events that it receives: what all recorders have in common.
///
/// | recorder | of |
/// | --- | --- |
/// | ``EventRecorder`` | resources |
/// | ``PagedCollectionRecorder`` | lists of pages |
/// | ``PaginatorRecorder`` | paginators |
///
/// It belongs to the actor of the store, and is held weakly like any observer without an owner: keep it, or
/// it receives nothing. Events are written down in the order in which they are delivered, which is one causal
/// order for all that one service emits; one recorder may observe several sources. What it wrote down holds
/// the sources, so a test of what is left in memory drops the recorder too.
///
/// Printed, a recorder shows what it wrote down, one numbered line for each event. Give it to an
/// expectation as its comment: `#expect(list.items == [1, 2], "\(recorder)")`.
public class Recorder<Entry: RecordedEvent>: CustomStringConvertible {
  /// What was received, in order.
  public private(set) var entries: [Entry] = []
  /// Called with every event after it was written down: for tests of re-entrancy.
  public var onEvent: ((_ source: Entry.Source, _ event: Entry.Event) -> Void)?

  /// Makes a recorder that has received nothing.
  public init() {}

  /// The events, of whatever source, in order.
  public final var events: [Entry.Event] { entries.map(\.event) }

  /// The events of one source, in order.
  public final func events(of source: Entry.Source) -> [Entry.Event] {
    entries.filter { $0.source === source }.map(\.event)
  }

  /// The events as text, in order, to compare with where they are not `Equatable`.
  public final var lines: [String] { entries.map(\.line) }

  /// Forgets what was received so far and returns it.
  @discardableResult
  public final func drain() -> [Entry.Event] {
    defer { entries = [] }
    return events
  }

  /// What was received, a numbered line for each event.
  public final var description: String {
    guard !entries.isEmpty else { return "no events" }
    return entries.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n")
  }

  final func record(_ entry: Entry) {
    entries.append(entry)
    onEvent?(entry.source, entry.event)
  }
}

/// One event that a ``Recorder`` wrote down.
public protocol RecordedEvent: CustomStringConvertible {
  /// What events come from.
  associatedtype Source: AnyObject
  /// What happens there.
  associatedtype Event
  /// Where the event came from.
  var source: Source { get }
  /// The event.
  var event: Event { get }
  /// The event as text, such as `newData(network)`.
  var line: String { get }
}
