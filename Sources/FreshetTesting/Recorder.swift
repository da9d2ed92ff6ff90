/// The base class of all recorders, which record the events that they receive.
///
/// | recorder | records |
/// | --- | --- |
/// | ``EventRecorder`` | events of resources |
/// | ``PagedCollectionRecorder`` | events of lists of pages |
/// | ``PaginatorRecorder`` | events of paginators |
///
/// It belongs to the actor of the store, and is held weakly like any observer without an owner:
/// keep it, or it receives nothing. Events are recorded in the order in which they are delivered,
/// which is one causal order for all events of one service; one recorder may observe several
/// sources. The recorded events hold the sources, so a test of deallocation drops the recorder too.
///
/// The description of a recorder has one numbered line for each event. Pass it to an expectation as
/// its comment: `#expect(list.items == [1, 2], "\(recorder)")`.
public class Recorder<Entry: RecordedEvent>: CustomStringConvertible {
  /// The recorded events, in order.
  public private(set) var entries: [Entry] = []
  /// A closure that is called with every event after it was recorded, for tests of re-entrancy.
  public var onEvent: ((_ source: Entry.Source, _ event: Entry.Event) -> Void)?

  /// Creates a recorder that has received nothing.
  public init() {}

  /// The events of all sources, in order.
  public final var events: [Entry.Event] { entries.map(\.event) }

  /// Returns the events of one source, in order.
  public final func events(of source: Entry.Source) -> [Entry.Event] {
    entries.filter { $0.source === source }.map(\.event)
  }

  /// The events as text, in order, for comparing events that are not `Equatable`.
  public final var lines: [String] { entries.map(\.line) }

  /// Removes and returns the events so far.
  @discardableResult
  public final func drain() -> [Entry.Event] {
    defer { entries = [] }
    return events
  }

  /// The recorded events, a numbered line for each.
  public final var description: String {
    guard !entries.isEmpty else { return "no events" }
    return entries.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n")
  }

  final func record(_ entry: Entry) {
    entries.append(entry)
    onEvent?(entry.source, entry.event)
  }
}
