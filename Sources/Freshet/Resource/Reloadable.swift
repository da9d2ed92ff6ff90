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

/// A list of resources.
protocol ReloadableList: Reloadable {
  var store: Store { get }
  /// Whether anything of it is loading.
  var isBusy: Bool { get }
  /// The tasks that wait until nothing is.
  var waiters: Waiters { get set }
  /// Begins to load what is stale of it, as far as it was wanted; in a delivery, after that.
  func reloadIfNeeded(retryingFailure retriesFailure: Bool)
}

extension ReloadableList where Self: Observed {
  var isObservedByProgram: Bool { observersIfAny?.hasLiving ?? false }
}

extension ReloadableList {
  func reloadIfNeeded(
    retryingFailure retriesFailure: Bool, onEnd: @escaping () -> Void
  ) -> Bool {
    reloadIfNeeded(retryingFailure: retriesFailure)
    store.queue.post { [self] in
      guard isBusy else { return onEnd() }
      readAgain(after: store.queue)
      let end = waiters.make()
      // Not counted: nothing waits for it.
      store.scope.isolation.launch(isCounted: false) {
        for await _ in end {}
      } completion: {
        onEnd()
      }
    }
    return true
  }
}

/// The lists of a store.
struct ReloadableLists {
  private struct Entry {
    weak var list: (any ReloadableList)?
  }

  private var entries: [Entry] = []

  /// The lists that exist.
  ///
  /// - Complexity: O(*n*) in their number.
  var all: [any ReloadableList] { entries.compactMap(\.list) }

  /// Adds a list.
  ///
  /// - Returns: lists that were looked at, to be released after the change: this may be the last reference
  ///   to one, whose end comes back here.
  /// - Complexity: amortized O(1).
  mutating func append(_ list: any ReloadableList) -> [any ReloadableList] {
    var held: [any ReloadableList] = []
    if entries.count == entries.capacity {
      held = all
      entries = held.map { Entry(list: $0) }
      entries.reserveCapacity(2 * held.count + 2)
    }
    entries.append(Entry(list: list))
    return held
  }
}
