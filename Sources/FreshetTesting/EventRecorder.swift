import Freshet

/// Records the events of resources, to compare with the exact sequence that is expected.
///
/// ```swift
/// let recorder = EventRecorder()
/// profile.addObserver(recorder)
/// try await profile.reload()
/// #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
/// ```
public final class EventRecorder: Recorder<EventRecorder.Entry>, ResourceObserver {
  /// One event, and the state of the resource when it was received.
  public struct Entry: RecordedEvent {
    /// The resource.
    public let source: AnyResource
    /// The event.
    public let event: ResourceEvent
    /// Whether the resource was loading.
    public let isLoading: Bool
    /// The kind of the resource's error, if it had one.
    public let errorKind: ResourceError.Kind?

    /// The event as text.
    public var line: String { event.description }
    /// Resource and event.
    public var description: String { "\(source): \(event)" }
  }

  /// The resources that notified the recorder that it was removed.
  public private(set) var stopped: [AnyResource] = []

  /// Records the event.
  public func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    record(
      Entry(
        source: resource, event: event, isLoading: resource.isLoading,
        errorKind: resource.latestError?.kind))
  }

  /// Records that the resource is no longer observed.
  public func stoppedObserving(_ resource: AnyResource) {
    stopped.append(resource)
  }
}
