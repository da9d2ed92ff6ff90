import Foundation
import Observation

/// The properties of a resource or list that are tracked by a SwiftUI view, or by
/// `withObservationTracking(_:onChange:)`.
///
/// The first read of a tracked property makes it, whether the read is tracked or not, because there is
/// no way to know that. A subject that is only observed, loaded and walked has none, and pays nothing. A
/// tracking ends with the first change that it is notified of: a property that was not read since its last
/// change needs no notification.
final class TrackedProperties: Observable {
  /// A tracked property, or several that change together.
  enum Property: UInt16, CaseIterable {
    /// The content of a resource, the items of a list.
    case content = 1
    /// The properties that come with the content: timestamps, header fields, pages, counts. It may be reported where
    /// none of them is different.
    case details = 2
    case latestError = 4
    case isLoading = 8
    case isRefreshing = 16
    /// Whether data is up to date.
    case freshness = 32
    /// The loading state at the end of a list.
    case state = 64
    /// The loading state at the start of a list.
    case previousState = 128
    /// The loading state of a refresh.
    case refreshState = 256
  }

  private let registrar = ObservationRegistrar()
  /// The properties that were read since they changed last.
  private var read: UInt16 = 0
  private var isLoadingNow = false
  private var isRefreshingNow = false
  private var latestErrorNow: ResourceError?
  /// Waits for the date before which the server asks not to retry what has failed.
  private var retryTimer: (date: Date, task: Task<Void, Never>)?

  deinit { retryTimer?.task.cancel() }

  /// Whether a property was read since it changed last.
  func isRead(_ property: Property) -> Bool { read & property.rawValue != 0 }

  /// Whether any property was.
  var isAnyRead: Bool { read != 0 }

  /// Whether one of the properties was that ``update(isLoading:isRefreshing:latestError:)`` compares.
  var isStateRead: Bool {
    isRead(.isLoading) || isRead(.isRefreshing) || isRead(.latestError)
  }

  /// Notes that a property is read.
  func access(_ property: Property) {
    read |= property.rawValue
    registrar.access(self, keyPath: Self.keyPath(of: property))
  }

  /// Notifies those that track a property that it has changed.
  func changed(_ property: Property) {
    guard isRead(property) else { return }
    // Before they are notified, because they may read it again.
    read &= ~property.rawValue
    registrar.withMutation(of: self, keyPath: Self.keyPath(of: property)) {}
  }

  /// Notifies those that track any property as if it had changed: who still shows it reads it again.
  func readAgain() {
    for property in Property.allCases { changed(property) }
  }

  /// Notifies those that track the error when a date passes: it may be retried from then on.
  ///
  /// Called by each read of that, so nothing waits where nothing reads it.
  ///
  /// - Parameter date: nil for no date any more.
  func notifyRetry(
    at date: Date?, on clock: any StoreClock, _ queue: EventQueue, _ isolation: StoreIsolation
  ) {
    guard retryTimer?.date != date else { return }
    retryTimer.take()?.task.cancel()
    guard let date else { return }
    let end = clock.now + .seconds(date.timeIntervalSince(clock.date))
    let task = isolation.launch(isCounted: false) {
      let purpose = TimerPurpose.other("notify that a retry is possible")
      return (try? await clock.sleep(until: end, purpose: purpose)) != nil
    } completion: { [weak self] hasPassed in
      guard hasPassed, let self, retryTimer?.date == date else { return }
      retryTimer = nil
      queue.post { self.changed(.latestError) }
    }
    retryTimer = task.map { (date, $0) }
  }

  /// Compares the properties that several events may change to what they were, and notifies of those
  /// that are different.
  func update(isLoading: Bool, isRefreshing: Bool = false, latestError: ResourceError?) {
    let wasRead = isStateRead
    let differs = (
      isRefreshing: isRefreshing != isRefreshingNow, isLoading: isLoading != isLoadingNow,
      latestError: latestError != latestErrorNow
    )
    // Released at the end: deallocating an error may run user code, which may look here.
    var replaced = latestErrorNow
    // All before any is notified of: what is notified may change them again.
    (isRefreshingNow, isLoadingNow, latestErrorNow) = (isRefreshing, isLoading, latestError)
    if differs.isRefreshing { changed(.isRefreshing) }
    if differs.isLoading { changed(.isLoading) }
    if differs.latestError { changed(.latestError) }
    // The next read notes all of them again.
    if wasRead, !isStateRead, latestErrorNow != nil {
      replaced = latestErrorNow
      latestErrorNow = nil
    }
    withExtendedLifetime(replaced) {}
  }

  // MARK: Key paths

  // What a registrar knows the properties by: key paths of this type, for resources and lists alike.

  private var content: Void { () }
  private var details: Void { () }
  private var latestError: Void { () }
  private var isLoading: Void { () }
  private var isRefreshing: Void { () }
  private var freshness: Void { () }
  private var state: Void { () }
  private var previousState: Void { () }
  private var refreshState: Void { () }

  /// Made once, because content is what is read most: saves 3 % of a visit.
  private static let contentKeyPath: any KeyPath<TrackedProperties, Void> & Sendable = \.content

  private static func keyPath(of property: Property) -> KeyPath<TrackedProperties, Void> {
    switch property {
    case .content: contentKeyPath
    case .details: \.details
    case .latestError: \.latestError
    case .isLoading: \.isLoading
    case .isRefreshing: \.isRefreshing
    case .freshness: \.freshness
    case .state: \.state
    case .previousState: \.previousState
    case .refreshState: \.refreshState
    }
  }
}

/// A subject whose properties may be tracked, if it has any.
protocol Trackable: AnyObject {
  /// The tracked properties; nil before the first read.
  var trackedIfAny: TrackedProperties? { get }
}

extension Trackable {
  /// Whether a property was read from outside of the library since it changed last.
  var isTracked: Bool { trackedIfAny?.isAnyRead ?? false }
}

/// A subject whose properties can be tracked.
protocol Tracked: Trackable {
  /// Makes the tracked properties, where there are none.
  func makeTracked() -> TrackedProperties
  /// Passes the properties that several events may change to
  /// ``TrackedProperties/update(isLoading:isRefreshing:latestError:)``.
  func update(_ tracked: TrackedProperties)
}

extension Tracked {
  /// Notes that a property is read from outside of the library.
  func access(_ property: TrackedProperties.Property) {
    let tracked = trackedIfAny ?? makeTracked()
    // The value that a later one is compared to is that of this read: it may be newer than that of the last event.
    switch property {
    case .isLoading, .isRefreshing, .latestError: update(tracked)
    default: break
    }
    tracked.access(property)
  }
}
