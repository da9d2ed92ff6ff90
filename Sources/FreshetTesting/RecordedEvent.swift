/// One event that a ``Recorder`` recorded.
public protocol RecordedEvent: CustomStringConvertible {
  /// The type of the events' source.
  associatedtype Source: AnyObject

  /// The type of the events.
  associatedtype Event

  /// The source of the event.
  var source: Source { get }

  /// The event.
  var event: Event { get }

  /// The event as text, such as `newData(network)`.
  var line: String { get }
}
