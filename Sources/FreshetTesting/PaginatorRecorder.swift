import Freshet

/// Records the events of paginators, in order.
///
/// ```swift
/// let recorder = PaginatorRecorder<Article>()
/// articles.addObserver(recorder)
/// try articles.loadPage(2)
/// await articles.settled()
/// #expect(recorder.lines == ["observerAdded", "loading(2)", "slotsChanged", "loaded(2)"])
/// ```
public final class PaginatorRecorder<Item: Sendable>: Recorder<PaginatorRecorder<Item>.Entry>,
  PaginatorObserver
{
  /// One event, and the state of the paginator when it was received.
  public struct Entry: RecordedEvent {
    /// The paginator.
    public let source: Paginator<Item>
    /// The event.
    public let event: PaginatorEvent
    /// The page that was loaded last, if there was one.
    public let currentPage: Int?

    /// The event as text, such as `loaded(2)`.
    public var line: String { event.description }
    /// The event, and the current page.
    public var description: String {
      "\(line), \(currentPage.map { "current page \($0)" } ?? "no current page")"
    }
  }

  /// Records the event.
  public func paginatorChanged(_ paginator: Paginator<Item>, event: PaginatorEvent) {
    record(Entry(source: paginator, event: event, currentPage: paginator.currentPage))
  }
}
