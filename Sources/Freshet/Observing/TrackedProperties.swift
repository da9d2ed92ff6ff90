import Observation

/// The properties of a resource or list that are tracked by a SwiftUI view, or by
/// `withObservationTracking(_:onChange:)`.
///
/// The first read of a tracked property makes it, whether the read is tracked or not, because there is
/// no way to know that. A subject that is only observed, loaded and walked has none, and pays nothing.
final class TrackedProperties: Observable {
  typealias Property = KeyPath<TrackedProperties, Void>

  private let registrar = ObservationRegistrar()
  private var isLoadingNow = false
  private var isRefreshingNow = false
  private var latestErrorNow: ResourceError?

  // MARK: Properties

  // Of these only the key paths are used. Each stands for all that changes together with it: a key path
  // of a generic type would be made again by every read.

  /// The content of a resource, the items of a list.
  var content: Void { () }
  /// What else came with the content: timestamps, header fields, counts.
  var details: Void { () }
  var latestError: Void { () }
  var isLoading: Void { () }
  /// Whether data is up to date.
  var freshness: Void { () }
  /// The loading state at the end of a list.
  var state: Void { () }
  /// The loading state at the start of a list.
  var previousState: Void { () }
  /// The loading state of a refresh.
  var refreshState: Void { () }
  var isRefreshing: Void { () }

  // MARK: Tracking

  /// Notes that a property is read.
  @inline(__always)
  func access(_ property: Property) {
    registrar.access(self, keyPath: property)
  }

  /// Notifies those that track a property that it has changed.
  func changed(_ property: Property) {
    registrar.withMutation(of: self, keyPath: property) {}
  }

  /// Compares the properties that several events may change to what they were, and reports those that
  /// are different.
  func update(isLoading: Bool, isRefreshing: Bool = false, latestError: ResourceError?) {
    if isRefreshing != isRefreshingNow {
      isRefreshingNow = isRefreshing
      changed(\.isRefreshing)
    }
    if isLoading != isLoadingNow {
      isLoadingNow = isLoading
      changed(\.isLoading)
    }
    if latestError != latestErrorNow {
      latestErrorNow = latestError
      changed(\.latestError)
    }
  }
}

/// A subject whose properties can be tracked.
protocol Tracked: AnyObject {
  /// The tracked properties; nil before the first read.
  var trackedIfAny: TrackedProperties? { get set }
  /// Passes the properties that several events may change to
  /// ``TrackedProperties/update(isLoading:isRefreshing:latestError:)``.
  func update(_ tracked: TrackedProperties)
}

extension Tracked {
  /// Notes that a property is read from outside of the library.
  @inline(__always)
  func access(_ property: TrackedProperties.Property) {
    (trackedIfAny ?? makeTracked()).access(property)
  }

  @inline(never)
  private func makeTracked() -> TrackedProperties {
    let made = TrackedProperties()
    update(made)
    trackedIfAny = made
    return made
  }
}
