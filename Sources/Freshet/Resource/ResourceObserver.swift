/// An object that receives the events of the resources that it was added to.
///
/// It is called on the actor of the service. The observers of a resource receive each event once,
/// in the order in which they were added. An observer may call anything of the service when it
/// receives an event: the events that this causes are delivered afterwards.
///
/// A view model on the main actor conforms with an isolated conformance:
///
/// ```swift
/// @MainActor
/// final class ProductModel: @MainActor ResourceObserver {
///   private(set) var isLoading = false
///
///   func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
///     isLoading = resource.isLoading
///   }
/// }
/// ```
public protocol ResourceObserver: AnyObject {
  /// Called after each event of the resource, which is already in the new state.
  func resourceChanged(_ resource: AnyResource, event: ResourceEvent)

  /// Called when the observer was removed from the resource, or its last owner was deallocated: it
  /// receives nothing more of that resource.
  ///
  /// An observer without an owner is not called when it is deallocated. After the last owner was
  /// deallocated, the call comes at the resource's next event at the latest. The default does
  /// nothing.
  func stoppedObserving(_ resource: AnyResource)
}

extension ResourceObserver {
  /// Does nothing.
  public func stoppedObserving(_ resource: AnyResource) {}
}
