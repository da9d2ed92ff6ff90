/// Loads again what is shown and stale, a few resources and lists at once: for triggers, and after
/// invalidations.
final class ReloadQueue {
  private struct Reload {
    weak var subject: (any Reloadable)?
    let retriesFailure: Bool
    let isNeeded: (any Reloadable) -> Bool
    let onEnd: () -> Void
  }

  /// What a load holds for as long as it may still end.
  private final class Place {}

  /// How many resources and lists are loading for it at once.
  private static let width = 4

  private let events: EventQueue
  private var waiting: ArraySlice<Reload> = []
  // Weak, because a load that is released with its service never ends.
  private var places: [Weak<Place>] = []

  init(after events: EventQueue) { self.events = events }

  /// Loads what is stale of a subject when its turn comes, after the events that are waiting.
  ///
  /// - Parameters:
  ///   - subject: a resource or list, which may be deallocated before.
  ///   - retriesFailure: whether a load that has failed is repeated at once.
  ///   - isNeeded: asked when its turn comes.
  ///   - onEnd: called once: when it is loaded, was not needed, or was deallocated.
  /// - Complexity: amortized O(1).
  func append(
    _ subject: any Reloadable, retryingFailure retriesFailure: Bool = false,
    where isNeeded: @escaping (any Reloadable) -> Bool, onEnd: @escaping () -> Void = {}
  ) {
    waiting.append(
      Reload(subject: subject, retriesFailure: retriesFailure, isNeeded: isNeeded, onEnd: onEnd))
    postLoading()
  }

  /// In a delivery, so that what ends at once is not followed by the next within itself.
  private func postLoading() {
    events.post { [weak self] in self?.loadNext() }
  }

  /// Begins as many loads as may be under way.
  private func loadNext() {
    places.removeAll { $0.object == nil }
    while places.count < Self.width, let next = waiting.popFirst() {
      let place = Place()
      places.append(Weak(place))
      guard let subject = next.subject, next.isNeeded(subject),
        subject.reloadIfNeeded(
          retryingFailure: next.retriesFailure,
          onEnd: { [weak self] in
            self?.free(place)
            next.onEnd()
            self?.postLoading()
          })
      else {
        free(place)
        next.onEnd()
        continue
      }
    }
    // The memory of those that had their turn.
    if waiting.isEmpty { waiting = [] }
  }

  private func free(_ place: Place) {
    places.removeAll { $0.object === place }
  }
}
