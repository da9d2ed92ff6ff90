/// A resource or list that can be loaded again by itself.
protocol Reloadable: Tracked {
  /// The URL of a resource, or of the first page of a list.
  var reloadURL: String { get }
  /// Whether anything outside of the library observes it.
  var isObservedByProgram: Bool { get }
  /// Loads what is stale of it, as far as it was wanted.
  ///
  /// - Parameters:
  ///   - retriesFailure: whether a load that has failed is repeated at once, unless the server asks to wait.
  ///   - onEnd: called when nothing of it is loading any more.
  /// - Returns: false if nothing is to be loaded; `onEnd` is not called then.
  func reloadIfNeeded(retryingFailure retriesFailure: Bool, onEnd: @escaping () -> Void) -> Bool
}

extension Reloadable {
  /// Whether anything outside of the library observes it or may track its properties.
  var isShown: Bool { isTracked || isObservedByProgram }

  /// Finds out whether a view still tracks what nothing observes: by then it will have read it again.
  func readAgain(after queue: EventQueue) {
    guard !isObservedByProgram else { return }
    queue.post { [self] in trackedIfAny?.readAgain() }
  }
}

extension Reloadable where Self: Observed {
  var isObservedByProgram: Bool { observersIfAny?.hasLiving ?? false }
}

/// The lists of a store.
struct ReloadableLists {
  private struct Entry {
    weak var list: (any Reloadable)?
  }

  private var entries: [Entry] = []
  private var schedule = PruneSchedule()

  /// The lists that exist.
  ///
  /// - Complexity: O(*n*) in their number.
  var all: [any Reloadable] { entries.compactMap(\.list) }

  /// Adds a list.
  ///
  /// - Returns: lists that were looked at, to be released after the change: this may be the last reference
  ///   to one, and deallocating it may re-enter this method.
  /// - Complexity: amortized O(1).
  mutating func append(_ list: any Reloadable) -> [any Reloadable] {
    var held: [any Reloadable] = []
    if schedule.isDue(at: entries.count) {
      held = all
      entries = held.map { Entry(list: $0) }
      schedule.pruned(leaving: entries.count)
    }
    entries.append(Entry(list: list))
    return held
  }

  /// Stops the program if an invariant does not hold. For tests; O(1).
  func checkInvariants() { schedule.checkInvariants(at: entries.count) }
}

// MARK: - Resources

extension AnyResource: Reloadable {
  final var reloadURL: String { key.url }

  final func reloadIfNeeded(
    retryingFailure retriesFailure: Bool, onEnd: @escaping () -> Void
  ) -> Bool {
    let error = state.isLoading ? nil : state.error
    let mayRetry = error.map { $0.retryDate(after: clock.date) == nil } ?? false
    let request = mayRetry && retriesFailure ? load() : loadIfNeeded()
    guard let request else { return false }
    readAgain(after: store.queue)
    // Not awaited: if the last observer leaves, the load may be cancelled.
    request.whenEndedUnawaited(for: self, onEnd)
    return true
  }

  /// Loads what was invalidated, after the events that are waiting, if it is observed.
  final func reloadIfInvalidated() {
    guard state.isInvalidated, state.data != nil, observersIfAny?.isEmpty == false,
      currentConfiguration.value.reloadsWhenInvalidated
    else { return }
    // That calls this again once it has succeeded; where it is cancelled or fails, nothing follows.
    let load = state.newestInFlight
    store.queue.post { [self] in
      // Often no observer is left but the lists that it is a page of.
      guard isObservedByProgram else { return }
      store.reloads.append(self) { [weak self] _ in
        guard let self, load.map(state.counts) ?? true else { return false }
        return state.isInvalidated && state.data != nil && isObservedByProgram
      }
    }
  }
}
