/// Receives the events of the resources that it was added to.
///
/// Every call comes on the store's actor. An observer receives each event once, in the order in which
/// observers were added, and may call anything on the store from within: what that causes is
/// delivered afterwards.
///
/// A view model on the main actor conforms with an isolated conformance:
///
/// ```swift
/// @MainActor final class ProfileModel: @MainActor ResourceObserver {
///   func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
///     isLoading = resource.isLoading
///   }
/// }
/// ```
public protocol ResourceObserver: AnyObject {
  /// Something changed; the resource is already in the new state.
  func resourceChanged(_ resource: AnyResource, event: ResourceEvent)

  /// The observer was removed, or its last owner was deallocated; it receives nothing more of the resource.
  ///
  /// An observer that owns itself is not notified of its own end. Where only owners were deallocated, the
  /// call comes when the store notices, at the resource's next event at the latest. The default does
  /// nothing.
  func stoppedObserving(_ resource: AnyResource)
}

/// A list, which observes the resources of its pages.
protocol PageObserver: ResourceObserver {}

extension ResourceObserver {
  /// Does nothing.
  public func stoppedObserving(_ resource: AnyResource) {}
}
