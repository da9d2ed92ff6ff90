import Freshet

/// Writes down the events that it receives, to compare with the exact sequence that is expected.
///
/// ```swift
/// let recorder = EventRecorder()
/// resource.addObserver(recorder)
/// try await resource.load().value()
/// #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
/// ```
///
/// One recorder may observe several resources; `entries` says which one each event was of. It belongs
/// to the actor of the store, and is held weakly like any observer without an owner: keep it, or it
/// receives nothing. What it wrote down holds the resources, so a test of what is left in memory drops
/// the recorder too.
public final class EventRecorder: ResourceObserver {
  /// One event, and the state of the resource when it was received.
  public struct Entry: CustomStringConvertible {
    /// The resource.
    public let resource: AnyResource
    /// The event.
    public let event: ResourceEvent
    /// Whether the resource was loading.
    public let isLoading: Bool
    /// The kind of the resource's error, if it had one.
    public let error: ResourceError.Kind?

    /// Resource and event.
    public var description: String { "\(resource): \(event)" }
  }

  /// What was received, in order.
  public private(set) var entries: [Entry] = []
  /// The resources that notified the recorder that it was removed.
  public private(set) var stopped: [AnyResource] = []
  /// Called with every event after it was written down: for tests of re-entrancy.
  public var onEvent: ((AnyResource, ResourceEvent) -> Void)?

  /// Makes a recorder that has received nothing.
  public init() {}

  /// The events, of whatever resource, in order.
  public var events: [ResourceEvent] { entries.map(\.event) }

  /// The events of one resource, in order.
  public func events(of resource: AnyResource) -> [ResourceEvent] {
    entries.filter { $0.resource === resource }.map(\.event)
  }

  /// Forgets what was received so far and returns it.
  @discardableResult
  public func drain() -> [ResourceEvent] {
    defer { entries = [] }
    return events
  }

  /// Writes the event down.
  public func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    entries.append(
      Entry(
        resource: resource, event: event, isLoading: resource.isLoading,
        error: resource.latestError?.kind))
    onEvent?(resource, event)
  }

  /// Notes that the resource is observed no more.
  public func stoppedObserving(_ resource: AnyResource) {
    stopped.append(resource)
  }
}
