import Foundation

/// All that a resource knows, and every decision it makes: (state, input) → reaction.
///
/// Pure: no clock, no network, no observers. ``AnyResource`` feeds it what happens and performs what
/// it answers. The state is complete before that.
///
/// Loads are numbered in the order in which they begin. An answer counts only while its load is in
/// flight, and it ends that load and every older one; so an older answer never replaces a newer one,
/// and a load that was given up cannot speak any more.
struct ResourceState {
  /// The number of a load.
  typealias LoadID = Int

  /// The newest content, optimistic edits applied.
  private(set) var data: AnyEntity?
  /// Why the newest finished load failed, if it did.
  var error: ResourceError? {
    if case .failed(let error, at: _) = failure { error } else { nil }
  }
  /// The loads in flight, oldest first.
  private(set) var loads: [LoadID] = []

  private var newestLoad: LoadID = 0
  /// The newest load at the time of the last invalidation that still holds; only a later load lifts it.
  private var invalidatedThrough: LoadID?
  /// When the data was received, confirmed or written, in monotonic time.
  private var confirmedAt = Duration.zero
  /// How long the server said that the data stays fresh, from `confirmedAt`.
  private var lifetime: Duration?
  private var failure = Failure.none
  private var edits = Edits.none

  /// Whether a load is in flight.
  var isLoading: Bool { !loads.isEmpty }
  /// Whether the content was invalidated and no later load has brought an answer.
  var isInvalidated: Bool { invalidatedThrough != nil }

  // Indirect, because almost no resource has one.

  private indirect enum Failure {
    case none
    case failed(ResourceError, at: Duration)
  }

  private indirect enum Edits {
    case none
    case pending(OptimisticEdits)
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
    case newData(AnyEntity, lifetime: Duration?)
    /// The server's content is still this one, whose validators were sent; `headers` are its own,
    /// brought up to date by the 304.
    case notModified(AnyEntity, HTTPHeaders, date: Date, lifetime: Duration?)
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
    case restored(LoadID, Restored, Policy?, now: Duration)
    case cancelled(LoadID)
    case cancelledAll
    case overridden(AnyEntity, now: Duration)
    case invalidated
    case wiped
    case edited(EditID, ContentEdit)
    case committed(EditID)
    case rolledBack(EditID)
  }

  /// What to do about it, in the order of the members.
  struct Reaction: Equatable {
    /// Give the caller this load, which is in flight.
    var joined: LoadID?
    /// Begin this load, with the validators of `data` where it has some.
    var begun: LoadID?
    /// Tell the observers that every load was given up.
    var isGivenUp = false
    /// These loads do not count any more; stop them.
    var abandoned: [LoadID] = []
    /// Remove the entry of the persistent cache.
    var forgets = false
    /// Tell the observers.
    var event: ResourceEvent?

    /// Nothing is to be done.
    static let none = Reaction()
    /// Whether nothing is to be done, but for telling the observers.
    var isAtMostAnEvent: Bool {
      joined == nil && begun == nil && !isGivenUp && abandoned.isEmpty && !forgets
    }

    init(event: ResourceEvent? = nil) {
      self.event = event
    }
  }

  /// Takes in what happened and returns what to do.
  mutating func handle(_ input: Input) -> Reaction {
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
    guard case .failed(let error, let time) = failure else { return nil }
    return time + max(error.retryAfter ?? .zero, policy.retryTime)
  }

  private mutating func loadIfNeeded(_ policy: Policy, now: Duration) -> Reaction {
    if let newest = loads.last {
      var reaction = Reaction()
      reaction.joined = newest
      return reaction
    }
    if let deadline = freshUntil(policy), now < deadline { return .none }
    if let earliest = retryAt(policy), now < earliest { return .none }
    return start()
  }
}

// MARK: - Loads

extension ResourceState {
  private mutating func start() -> Reaction {
    newestLoad += 1
    loads.append(newestLoad)
    var reaction = Reaction(event: .requested)
    reaction.begun = newestLoad
    return reaction
  }

  private mutating func abandon(_ given: [LoadID]) -> Reaction {
    guard !given.isEmpty else { return .none }
    endLoads(where: given.contains)
    var reaction = Reaction()
    // One event however many loads were given up, and none while another one goes on.
    reaction.isGivenUp = loads.isEmpty
    reaction.abandoned = given
    return reaction
  }

  /// Ends loads, and lets go of the memory for them with the last: most resources are not loading.
  private mutating func endLoads(where isOver: (LoadID) -> Bool) {
    loads.removeAll(where: isOver)
    if loads.isEmpty { loads = [] }
  }

  private mutating func answered(_ load: LoadID, _ answer: Answer, now: Duration) -> Reaction {
    guard loads.contains(load) else { return .none }
    if case .failure(let error) = answer, error.kind == .cancelled {
      return abandon([load])
    }
    endLoads { $0 <= load }
    switch answer {
    case .newData(let entity, let lifetime):
      succeeded(load, at: now, lifetime: lifetime)
      replaceBase(entity, answering: load)
      return Reaction(event: .newData(.network))
    case .notModified(var known, let headers, let date, let lifetime):
      succeeded(load, at: now, lifetime: lifetime)
      if (pendingEdits?.base ?? data)?.validators == known.validators {
        confirmBase(headers, date: date)
        return Reaction(event: .notModified)
      }
      // Meanwhile an older load has brought other content. The server confirmed what this load knew.
      known.confirm(headers, date: date)
      replaceBase(known, answering: load)
      return Reaction(event: .newData(.network))
    case .failure(let error):
      failure = .failed(error, at: now)
      return Reaction(event: .error)
    }
  }

  private mutating func restored(
    _ load: LoadID, _ entry: Restored, _ policy: Policy?, now: Duration
  ) -> Reaction {
    guard loads.contains(load), data == nil else { return .none }
    data = entry.entity
    failure = .none
    confirmedAt = now - entry.age
    lifetime = entry.lifetime
    if let policy, let deadline = freshUntil(policy), now < deadline {
      endLoads { $0 <= load }
    }
    return Reaction(event: .newData(.cache))
  }

  private mutating func succeeded(_ load: LoadID, at now: Duration, lifetime: Duration?) {
    failure = .none
    confirmedAt = now
    self.lifetime = lifetime
    if let through = invalidatedThrough, load > through { invalidatedThrough = nil }
  }
}

// MARK: - Local changes

extension ResourceState {
  private mutating func override(_ entity: AnyEntity, now: Duration) -> Reaction {
    var reaction = abandon(loads)
    edits = .none
    data = entity
    failure = .none
    invalidatedThrough = nil
    confirmedAt = now
    lifetime = nil
    reaction.event = .newData(.localOverride)
    return reaction
  }

  private mutating func invalidate() -> Reaction {
    invalidatedThrough = newestLoad
    // Asking anew is what an invalidation is for; only a server's own Retry-After still holds it back.
    if case .failed(let error, at: _) = failure, error.retryAfter == nil {
      failure = .failed(error, at: .zero - .seconds(1 << 40))
    }
    return Reaction(event: .invalidated)
  }

  private mutating func wipe() -> Reaction {
    var reaction = abandon(loads)
    edits = .none
    data = nil
    failure = .none
    invalidatedThrough = nil
    lifetime = nil
    reaction.forgets = true
    reaction.event = .newData(.wipe)
    return reaction
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
    _ id: EditID, _ change: @escaping ContentEdit
  ) -> Reaction {
    guard let shown = data else { return .none }
    var reaction = abandon(loads)
    var pending = pendingEdits ?? OptimisticEdits(base: shown)
    pending.append(id, change)
    show(pending)
    reaction.event = .newData(.localOverride)
    return reaction
  }

  private mutating func commit(_ id: EditID) -> Reaction {
    guard var pending = pendingEdits, pending.commit(id, during: newestLoad) else { return .none }
    if loads.isEmpty { pending.foldCommitted() }
    show(pending)
    return .none
  }

  private mutating func rollBack(_ id: EditID) -> Reaction {
    guard var pending = pendingEdits, pending.rollBack(id) else { return .none }
    if loads.isEmpty { pending.foldCommitted() }
    show(pending)
    return Reaction(event: .newData(.localOverride))
  }

  /// The content whose validators a load may send: what the server sent, as long as no edit that the
  /// server has accepted is on top of it.
  var confirmable: AnyEntity? {
    if let pendingEdits { pendingEdits.confirmable } else { data }
  }

  private var pendingEdits: OptimisticEdits? {
    if case .pending(let edits) = edits { edits } else { nil }
  }

  private mutating func show(_ pending: OptimisticEdits) {
    data = pending.shown
    edits = pending.isEmpty ? .none : .pending(pending)
  }

  private mutating func replaceBase(_ entity: AnyEntity, answering load: LoadID) {
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
