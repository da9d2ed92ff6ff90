/// Loads again what is shown and stale, a few resources and lists at once: for triggers, and after
/// invalidations.
final class ReloadQueue {
  /// What a caller has asked for.
  private struct Wish {
    let retriesFailure: Bool
    let isNeeded: (any Reloadable) -> Bool
    let onEnd: () -> Void
  }

  /// A subject and all that was asked for it until its turn.
  private final class Reload {
    let id: ObjectIdentifier
    private(set) weak var subject: (any Reloadable)?
    var wishes: [Wish]

    init(_ subject: any Reloadable, _ wish: Wish) {
      id = ObjectIdentifier(subject)
      self.subject = subject
      wishes = [wish]
    }

    func end() {
      for wish in wishes { wish.onEnd() }
    }
  }

  /// What a load holds for as long as it may still end. Its own end, on any thread, is reported.
  private final class Slot: Sendable {
    let id: ObjectIdentifier
    private let ends: AsyncStream<Void>.Continuation

    init(_ id: ObjectIdentifier, _ ends: AsyncStream<Void>.Continuation) {
      self.id = id
      self.ends = ends
    }

    deinit { ends.yield() }
  }

  /// How many resources and lists are loading for it at once.
  private static let width = 4

  private let events: EventQueue
  private let isolation: StoreIsolation
  private var waiting: ArraySlice<Reload> = []
  private var waitingByID: [ObjectIdentifier: Reload] = [:]
  // Weak, because a load that is released with its service never ends.
  private var slots: [Weak<Slot>] = []
  /// Where slots report their ends, for what waits. One that waits to be read stands for all.
  private let (slotEnds, slotEnd) = AsyncStream<Void>.makeStream(
    bufferingPolicy: .bufferingNewest(1))
  private var awaitsSlotEnd = false

  init(after events: EventQueue, isolation: StoreIsolation) {
    self.events = events
    self.isolation = isolation
  }

  deinit { slotEnd.finish() }

  /// Loads what is stale of a subject when its turn comes, after the events that are waiting.
  ///
  /// A subject waits once, however often it is asked for, and not for a second slot while it is loading.
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
    let wish = Wish(retriesFailure: retriesFailure, isNeeded: isNeeded, onEnd: onEnd)
    if let known = waitingByID[ObjectIdentifier(subject)], known.subject === subject {
      known.wishes.append(wish)
    } else {
      let reload = Reload(subject, wish)
      waiting.append(reload)
      waitingByID[reload.id] = reload
    }
    postLoading()
  }

  /// In a delivery, so that what ends at once is not followed by the next within itself.
  private func postLoading() {
    events.post { [weak self] in self?.loadNext() }
  }

  /// Begins as many loads as may be under way.
  private func loadNext() {
    slots.removeAll { $0.object == nil }
    while slots.count < Self.width, let next = takeNext() {
      guard let subject = next.subject else {
        next.end()
        continue
      }
      let wishes = next.wishes.filter { $0.isNeeded(subject) }
      let slot = Slot(next.id, slotEnd)
      slots.append(Weak(slot))
      let isLoading =
        !wishes.isEmpty
        && subject.reloadIfNeeded(
          retryingFailure: wishes.contains(where: \.retriesFailure),
          onEnd: { [weak self] in
            self?.free(slot)
            next.end()
            self?.postLoading()
          })
      if !isLoading {
        free(slot)
        next.end()
      }
    }
    // The memory of those that had their turn.
    if waiting.isEmpty { waiting = [] } else { awaitSlotEnd() }
  }

  /// Continues when a slot is free, even if its load is released with the service, which calls nothing.
  private func awaitSlotEnd() {
    guard !awaitsSlotEnd else { return }
    // Not counted: nothing waits for it.
    let task = isolation.launch(isCounted: false) { [slotEnds] in
      for await _ in slotEnds { return }
    } completion: { [weak self] in
      self?.awaitsSlotEnd = false
      self?.postLoading()
    }
    awaitsSlotEnd = task != nil
  }

  /// Removes and returns the first that is not loading.
  private func takeNext() -> Reload? {
    let isLoading = { [slots] (reload: Reload) in slots.contains { $0.object?.id == reload.id } }
    // One of the first few: no more than have slots are passed over.
    guard let index = waiting.firstIndex(where: { !isLoading($0) }) else { return nil }
    waiting.swapAt(index, waiting.startIndex)
    let next = waiting.removeFirst()
    if waitingByID[next.id] === next { waitingByID[next.id] = nil }
    return next
  }

  private func free(_ slot: Slot) {
    slots.removeAll { $0.object === slot }
  }
}

extension ReloadQueue {
  /// Stops the program if an invariant does not hold. For tests; O(*w*²) in what waits.
  func checkInvariants() {
    precondition(slots.count <= Self.width, "\(slots.count) loads at once")
    precondition(waiting.allSatisfy { !$0.wishes.isEmpty }, "nothing was asked for")
    precondition(
      waitingByID.allSatisfy { id, reload in
        reload.id == id && waiting.count { $0 === reload } == 1
      }, "what is known to wait does not wait once")
    precondition(
      waiting.allSatisfy { $0.subject == nil || waitingByID[$0.id] === $0 },
      "what waits is not found")
  }
}
