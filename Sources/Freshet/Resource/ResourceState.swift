import Foundation

/// All that a resource knows, and every decision it makes: (state, input) → actions.
///
/// Pure: no clock, no network, no observers. ``Resource`` feeds it what happens and performs, in
/// order, what it answers. The state is complete before the first action is performed.
///
/// Loads are numbered in the order in which they begin. An answer counts only while its load is in
/// flight, and it ends that load and every older one; so an older answer never replaces a newer one,
/// and a load that was given up cannot speak any more.
struct ResourceState<Content: Sendable> {
  /// The number of a load.
  typealias LoadID = Int

  /// The newest content, optimistic edits applied.
  private(set) var data: Entity<Content>?
  /// Why the newest finished load failed, if it did.
  private(set) var error: ResourceError?
  /// The loads in flight, oldest first.
  private(set) var loads: [LoadID] = []

  private var newestLoad: LoadID = 0
  /// The newest load at the time of the last invalidation that still holds; only a later load lifts it.
  private var invalidatedThrough: LoadID?
  /// When the data was received, confirmed or written, in monotonic time.
  private var confirmedAt = Duration.zero
  /// How long the server said that the data stays fresh, from `confirmedAt`.
  private var lifetime: Duration?
  private var failedAt = Duration.zero
  private var edits = Edits.none

  /// Whether a load is in flight.
  var isLoading: Bool { !loads.isEmpty }
  /// Whether the content was invalidated and no later load has brought an answer.
  var isInvalidated: Bool { invalidatedThrough != nil }

  private indirect enum Edits {
    case none
    case pending(OptimisticEdits<Content>)
  }
}

// MARK: - What happens and what to do

extension ResourceState {
  /// How old content may be, and how soon a failed load may be repeated.
  struct Policy: Equatable {
    var expirationTime: Duration
    var retryTime: Duration
  }

  /// What a load brought.
  enum Answer {
    /// New content; `lifetime` is how long the server says that it stays fresh, where that counts.
    case newData(Entity<Content>, lifetime: Duration?)
    /// The server's content is still this one, whose validators were sent; `headers` are its own,
    /// brought up to date by the 304.
    case notModified(Entity<Content>, HTTPHeaders, date: Date, lifetime: Duration?)
    /// The load failed.
    case failure(ResourceError)
  }

  /// What can happen to a resource. `now` is monotonic time.
  enum Input {
    case load
    case loadIfNeeded(Policy, now: Duration)
    case answered(LoadID, Answer, now: Duration)
    /// The persistent cache had an entry. With a policy, a fresh one ends the load; without one the
    /// load goes on in any case.
    case restored(LoadID, Restored<Content>, Policy?, now: Duration)
    case cancelled(LoadID)
    case cancelledAll
    case overridden(Entity<Content>, now: Duration)
    case invalidated
    case wiped
    case edited(EditID, (inout Content) -> Void)
    case committed(EditID)
    case rolledBack(EditID)
  }

  /// What to do about it.
  enum Action: Equatable {
    /// Begin this load, with the validators of `data` where it has some.
    case start(LoadID)
    /// Give the caller the load that is in flight.
    case join(LoadID)
    /// Tell the observers.
    case emit(ResourceEvent)
    /// These loads do not count any more; stop them.
    case abandon([LoadID])
    /// Remove the entry of the persistent cache.
    case forget
  }

  /// Takes in what happened and returns what to do, in order.
  mutating func handle(_ input: Input) -> [Action] {
    switch input {
    case .load: start()
    case .loadIfNeeded(let policy, let now): loadIfNeeded(policy, now: now)
    case .answered(let load, let answer, let now): answered(load, answer, now: now)
    case .restored(let load, let entry, let policy, let now):
      restored(load, entry, policy, now: now)
    case .cancelled(let load): abandon(loads.filter { $0 == load })
    case .cancelledAll: abandon(loads)
    case .overridden(let entity, let now): override(entity, now: now)
    case .invalidated: invalidate()
    case .wiped: wipe()
    case .edited(let id, let change): edit(id, change)
    case .committed(let id): commit(id)
    case .rolledBack(let id): rollBack(id)
    }
  }
}

// MARK: - Freshness

extension ResourceState {
  /// Until when the data is fresh, in monotonic time; nil where it is not fresh at any time.
  ///
  /// Never-loaded and invalidated data are never fresh, whatever the expiration.
  func freshUntil(_ policy: Policy) -> Duration? {
    guard data != nil, !isInvalidated else { return nil }
    return confirmedAt + (lifetime ?? policy.expirationTime)
  }

  /// Until when a failed load is not to be repeated by itself.
  private func retryAt(_ policy: Policy) -> Duration? {
    error.map { failedAt + max($0.retryAfter ?? .zero, policy.retryTime) }
  }

  private mutating func loadIfNeeded(_ policy: Policy, now: Duration) -> [Action] {
    if let newest = loads.last { return [.join(newest)] }
    if let deadline = freshUntil(policy), now < deadline { return [] }
    if let earliest = retryAt(policy), now < earliest { return [] }
    return start()
  }
}

// MARK: - Loads

extension ResourceState {
  private mutating func start() -> [Action] {
    newestLoad += 1
    loads.append(newestLoad)
    return [.start(newestLoad), .emit(.requested)]
  }

  private mutating func abandon(_ given: [LoadID]) -> [Action] {
    guard !given.isEmpty else { return [] }
    loads.removeAll(where: given.contains)
    // One event however many loads were given up, and none while another one goes on.
    return loads.isEmpty ? [.emit(.requestCancelled), .abandon(given)] : [.abandon(given)]
  }

  private mutating func answered(_ load: LoadID, _ answer: Answer, now: Duration) -> [Action] {
    guard loads.contains(load) else { return [] }
    if case .failure(let failure) = answer, failure.kind == .cancelled {
      return abandon([load])
    }
    loads.removeAll { $0 <= load }
    switch answer {
    case .newData(let entity, let lifetime):
      succeeded(load, at: now, lifetime: lifetime)
      replaceBase(entity, answering: load)
      return [.emit(.newData(.network))]
    case .notModified(var known, let headers, let date, let lifetime):
      succeeded(load, at: now, lifetime: lifetime)
      if (pendingEdits?.base ?? data)?.validators == known.validators {
        confirmBase(headers, date: date)
        return [.emit(.notModified)]
      }
      // Meanwhile an older load has brought other content. The server confirmed what this load knew.
      known.confirm(headers, date: date)
      replaceBase(known, answering: load)
      return [.emit(.newData(.network))]
    case .failure(let failure):
      error = failure
      failedAt = now
      return [.emit(.error)]
    }
  }

  private mutating func restored(
    _ load: LoadID, _ entry: Restored<Content>, _ policy: Policy?, now: Duration
  ) -> [Action] {
    guard loads.contains(load), data == nil else { return [] }
    data = entry.entity
    error = nil
    confirmedAt = now - entry.age
    lifetime = entry.lifetime
    if let policy, let deadline = freshUntil(policy), now < deadline {
      loads.removeAll { $0 <= load }
    }
    return [.emit(.newData(.cache))]
  }

  private mutating func succeeded(_ load: LoadID, at now: Duration, lifetime: Duration?) {
    error = nil
    confirmedAt = now
    self.lifetime = lifetime
    if let through = invalidatedThrough, load > through { invalidatedThrough = nil }
  }
}

// MARK: - Local changes

extension ResourceState {
  private mutating func override(_ entity: Entity<Content>, now: Duration) -> [Action] {
    let given = abandon(loads)
    edits = .none
    data = entity
    error = nil
    invalidatedThrough = nil
    confirmedAt = now
    lifetime = nil
    return given + [.emit(.newData(.localOverride))]
  }

  private mutating func invalidate() -> [Action] {
    invalidatedThrough = newestLoad
    // Asking anew is what an invalidation is for; only a server's own Retry-After still holds it back.
    if error?.retryAfter == nil { failedAt = .zero - .seconds(1 << 40) }
    return [.emit(.invalidated)]
  }

  private mutating func wipe() -> [Action] {
    let given = abandon(loads)
    edits = .none
    data = nil
    error = nil
    invalidatedThrough = nil
    lifetime = nil
    return given + [.forget, .emit(.newData(.wipe))]
  }
}

// MARK: - Optimistic edits

extension ResourceState {
  /// Whether taking in the input calls closures of the program.
  func callsEdits(for input: Input) -> Bool {
    if case .edited = input { return true }
    if case .pending = edits { return true }
    return false
  }

  private mutating func edit(
    _ id: EditID, _ change: @escaping (inout Content) -> Void
  ) -> [Action] {
    guard let shown = data else { return [] }
    let given = abandon(loads)
    var pending = pendingEdits ?? OptimisticEdits(base: shown)
    pending.append(id, change)
    show(pending)
    return given + [.emit(.newData(.localOverride))]
  }

  private mutating func commit(_ id: EditID) -> [Action] {
    guard var pending = pendingEdits, pending.commit(id, during: newestLoad) else { return [] }
    if loads.isEmpty { pending.foldCommitted() }
    show(pending)
    return []
  }

  private mutating func rollBack(_ id: EditID) -> [Action] {
    guard var pending = pendingEdits, pending.rollBack(id) else { return [] }
    if loads.isEmpty { pending.foldCommitted() }
    show(pending)
    return [.emit(.newData(.localOverride))]
  }

  /// The content whose validators a load may send: what the server sent, as long as no edit that the
  /// server has accepted is on top of it.
  var confirmable: Entity<Content>? {
    if let pendingEdits { pendingEdits.confirmable } else { data }
  }

  private var pendingEdits: OptimisticEdits<Content>? {
    if case .pending(let edits) = edits { edits } else { nil }
  }

  private mutating func show(_ pending: OptimisticEdits<Content>) {
    data = pending.shown
    edits = pending.isEmpty ? .none : .pending(pending)
  }

  private mutating func replaceBase(_ entity: Entity<Content>, answering load: LoadID) {
    guard var pending = pendingEdits else {
      data = entity
      return
    }
    pending.replaceBase(entity, answering: load)
    show(pending)
  }

  private mutating func confirmBase(_ headers: HTTPHeaders, date: Date) {
    guard var pending = pendingEdits else {
      data?.confirm(headers, date: date)
      return
    }
    pending.confirmBase(headers, date: date)
    show(pending)
  }
}
