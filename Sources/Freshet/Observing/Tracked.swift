/// A subject whose properties can be tracked.
protocol Tracked: AnyObject {
  /// The tracked properties; nil before the first read.
  var trackedIfAny: TrackedProperties? { get set }
  /// Passes the properties that several events may change to
  /// ``TrackedProperties/update(isLoading:isRefreshing:latestError:)``.
  func update(_ tracked: TrackedProperties)
}

extension Tracked {
  /// Whether a property was read from outside of the library since it changed last.
  @inline(__always)
  var isTracked: Bool { trackedIfAny?.isAnyRead ?? false }

  /// Notes that a property is read from outside of the library.
  @inline(__always)
  func access(_ property: TrackedProperties.Property) {
    let tracked = trackedIfAny ?? makeTracked()
    // The value that a later one is compared to is that of this read.
    switch property {
    case .isLoading, .isRefreshing, .latestError: if !tracked.isStateRead { update(tracked) }
    default: break
    }
    tracked.access(property)
  }

  private func makeTracked() -> TrackedProperties {
    let tracked = TrackedProperties()
    trackedIfAny = tracked
    return tracked
  }
}
