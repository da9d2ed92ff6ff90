import Foundation

/// All that a resource knows, and every decision it makes: a pure value.
///
/// Each input is a method that returns what to do about it. No clock, no network, no observers:
/// ``AnyResource`` passes in what happens, with `now` in monotonic time, and performs the action; the
/// state is complete before that.
///
/// Loads are numbered in the order in which they begin, over all resources of a store. A response counts
/// only while its load is in flight, and it ends that load and every older one; so an older response
/// never replaces a newer one, and a load that was cancelled changes nothing any more.
struct ResourceState {
  /// The number of a load.
  typealias LoadID = Int

  /// The newest content, optimistic edits applied.
  private(set) var data: AnyEntity?
  /// The error of the newest completed load; nil after a success.
  var error: ResourceError? {
    failure?.error
  }
  /// The loads in flight, oldest first.
  ///
  /// - Complexity: O(*n*) in their number.
  var loads: [LoadID] { inFlight.all.map(\.id) }
  private var inFlight = NumberedList<LoadID, Void>()
  /// The newest load in flight.
  var newestInFlight: LoadID? { inFlight.last?.id }

  private(set) var newestLoad: LoadID = 0
  /// The load that last delivered or confirmed the data; 0 if it came from the persistent cache or from another
  /// resource. After a wipe, the number of the next load, so that older content does not return.
  private(set) var confirmingLoad: LoadID = 0
  /// The newest load when the data was invalidated; -1 if it is not. The success of a later load, an
  /// override and a wipe clear it.
  private var invalidatedThrough: LoadID = -1
  private var uncommon = Uncommon.none
  private var freshness = Freshness.since(.zero)

  /// The content and the URL that responded with it, together.
  var contentAndURL: (content: AnyContent, responseURL: String?)? {
    guard let data else { return nil }
    return (data.content, data.responseURL)
  }

  /// Whether a load is in flight.
  var isLoading: Bool { !inFlight.isEmpty }
  /// Whether that load is in flight: whether its response counts.
  ///
  /// - Complexity: O(log *n*) in the number of loads in flight.
  func counts(_ load: LoadID) -> Bool { inFlight[load] != nil }
  /// Whether the content was invalidated and no later load has succeeded.
  var isInvalidated: Bool { invalidatedThrough >= 0 }

  /// How long the data counts as fresh, in monotonic time.
  private enum Freshness {
    /// As long as the policy says, from when it was received, confirmed or written.
    case since(Duration)
    /// As long as the server has said.
    case until(Duration)
    /// At no time: it is a placeholder.
    case never
  }

  private struct Failure {
    let error: ResourceError
    let load: LoadID
    let time: Duration
    /// A digest of the user it was for; 0 for anyone.
    let user: UInt64
    /// Whether only a time that the server has named delays a retry, because of an invalidation.
    var isForgiven = false
  }

  /// The parts of the state that almost no resource has: indirect, and one reference for all of them. Together
  /// with keeping one reference to the decoder, that made a resource 48 bytes smaller.
  private indirect enum Uncommon {
    case none
    case some(Failure?, OptimisticEdits?)
  }

  /// The load that has failed; nil after a success.
  var failedLoad: LoadID? { failure?.load }
  private var failure: Failure? {
    get { if case .some(let failure, _) = uncommon { failure } else { nil } }
    set { setUncommon(newValue, edits) }
  }

  /// Whether there are ``edits``, which take longer to read than to look for.
  ///
  /// Asking this first, and calling nothing for which the state is copied, saves 3 % of a page that is confirmed and of
  /// a change.
  var hasEdits: Bool { if case .some(_, .some) = uncommon { true } else { false } }
  /// The edits that the server has not confirmed; nil for none.
  private(set) var edits: OptimisticEdits? {
    get { if case .some(_, let edits) = uncommon { edits } else { nil } }
    set { setUncommon(failure, newValue) }
  }

  /// Changes the edits in place: their memory is not shared meanwhile, so nothing is copied.
  ///
  /// - Parameter shown: the content, if there are no edits yet.
  mutating func changeEdits<Result>(
    of shown: AnyEntity, _ change: (inout OptimisticEdits) -> Result
  ) -> Result {
    var changed = edits ?? OptimisticEdits(base: shown)
    let failure = failure
    uncommon = .none
    defer { setUncommon(failure, changed) }
    return change(&changed)
  }

  private mutating func setUncommon(_ failure: Failure?, _ edits: OptimisticEdits?) {
    if failure != nil || edits != nil {
      uncommon = .some(failure, edits)
    } else if case .some = uncommon {
      uncommon = .none
    }
  }
}

// MARK: - Freshness

extension ResourceState {
  /// When the data expires, in monotonic time; nil if it is not fresh at any time.
  ///
  /// Never-loaded and invalidated data are never fresh, whatever the expiration, nor is what another
  /// request got.
  // Into the resource: a call copies all of the state; see ``hasEdits``.
  @inline(__always)
  func freshUntil(_ policy: Policy) -> Duration? {
    guard data != nil, !isInvalidated, !policy.isOtherVariant else { return nil }
    switch freshness {
    case .since(let time): return time + policy.freshnessLifetime
    case .until(let time): return time
    case .never: return nil
    }
  }

  /// The time before which a failed load is not repeated by itself.
  private func retryAt(_ policy: Policy) -> Duration? {
    guard let failure else { return nil }
    let error = failure.error
    let asked = error.retryAfter ?? .zero
    return failure.time
      + (failure.isForgiven || policy.isOtherUsersFailure
        ? asked : max(asked, error.lifetime ?? .zero, policy.failureCooldown))
  }

  /// - Parameter lifetime: how long the server says that content stays fresh which is from that time.
  private mutating func beFresh(from time: Duration, for lifetime: Duration?) {
    freshness = lifetime.map { .until(time + $0) } ?? .since(time)
  }
}

// MARK: - Loads

extension ResourceState {
  /// A load is asked for.
  ///
  /// - Parameter id: its number, greater than that of any load before.
  mutating func load(as id: LoadID) {
    require(id > newestLoad, "ResourceState.load: load \(id) after load \(newestLoad)")
    newestLoad = id
    inFlight.insert((), for: id)
  }

  /// A load is asked for if it is needed.
  ///
  /// - Parameters:
  ///   - need: the loads that make it unnecessary.
  ///   - id: the number of the load that may begin.
  mutating func loadIfNeeded(
    _ need: Need, _ policy: Policy, now: Duration, as id: LoadID
  ) -> Demand {
    if let newest = newestInFlight, newest >= need.since { return .join(newest) }
    if confirmingLoad >= need.since, let deadline = freshUntil(policy),
      now < deadline || confirmingLoad >= need.enough
    {
      return .nothing
    }
    if let failure, failure.load >= max(need.since, need.failuresSince),
      let earliest = retryAt(policy),
      now < earliest
        || (failure.load >= need.enough && !isInvalidated && !policy.isOtherUsersFailure)
    {
      return policy.isOtherUsersFailure ? .nothing : .tooEarly(user: failure.user)
    }
    load(as: id)
    return .begin(id)
  }

  /// A load was cancelled.
  mutating func cancel(_ load: LoadID) -> Action {
    counts(load) ? .cancel(end([load])) : .nothing
  }

  /// All loads were cancelled.
  mutating func cancelAll() -> Action {
    isLoading ? .cancel(end(loads)) : .nothing
  }

  /// A load has ended.
  ///
  /// - Parameter user: if it has failed, a digest of the user it was for; 0 for anyone.
  mutating func received(
    _ outcome: LoadOutcome, of load: LoadID, now: Duration, for user: UInt64 = 0
  ) -> Action {
    guard counts(load) else { return .nothing }
    if case .failure(let error) = outcome, error.kind == .cancelled { return cancel(load) }
    endLoads(through: load)
    switch outcome {
    case .success(let fetched):
      succeeded(load, at: now, lifetime: fetched.lifetime)
      if let known = fetched.known, isBaseConfirmed(with: known) {
        let isDerived = confirmBase(known, as: fetched.entity)
        guard hasEdits, let edits, edits.areContained(in: load) else {
          return isDerived ? .notifyDerived : .notify(.notModified)
        }
        // What another resource had of an older load is no longer shown.
        replaceBase(edits.base, receivedBy: load)
        return .notify(.newData(.network))
      }
      // Also if the server has confirmed what this load knew: meanwhile an older one has brought other content.
      replaceBase(fetched.entity, receivedBy: load)
      return .notify(.newData(.network))
    case .failure(let error):
      failure = Failure(error: error, load: load, time: now, user: user)
      return .notify(.error)
    }
  }

  /// The persistent cache had an entry for a load. With a policy, a fresh one ends the load; without
  /// one the load continues in any case.
  ///
  /// - Parameter load: nil for an entry that was read without a load.
  mutating func restored(
    _ entry: Restored, for load: LoadID?, _ policy: Policy?, now: Duration
  ) -> Action {
    guard load.map(counts) ?? !isLoading, mayBeRestored else { return .nothing }
    replaceBase(entry.entity, receivedBy: 0)
    confirmingLoad = 0
    beFresh(from: now - entry.age, for: entry.lifetime)
    if let load, let policy, let deadline = freshUntil(policy), now < deadline {
      failure = nil
      endLoads(through: load)
    }
    return .notify(.newData(.cache))
  }

  /// Whether the persistent cache is asked: there is no content but that of a placeholder.
  var mayBeRestored: Bool { data == nil || isPlaceholder }

  /// Whether the content is that of another resource, and no load has brought any yet.
  var isPlaceholder: Bool {
    if data != nil, case .never = freshness { true } else { false }
  }

  /// Ends loads that are in flight without a response.
  private mutating func end(_ cancelled: [LoadID]) -> Cancellation {
    guard !cancelled.isEmpty else { return Cancellation() }
    for load in cancelled { inFlight.remove(load) }
    // One event however many loads were cancelled, and none while another one continues.
    return Cancellation(isLast: !isLoading, loads: cancelled)
  }

  /// Ends a load and all older ones.
  private mutating func endLoads(through load: LoadID) {
    _ = inFlight.removeFirst { $0 <= load }
  }

  private mutating func succeeded(_ load: LoadID, at now: Duration, lifetime: Duration?) {
    failure = nil
    confirmingLoad = load
    beFresh(from: now, for: lifetime)
    if load > invalidatedThrough { invalidatedThrough = -1 }
  }
}

// MARK: - Content below optimistic edits

extension ResourceState {
  /// Puts the content of a response below the edits.
  private mutating func replaceBase(_ entity: AnyEntity, receivedBy load: LoadID) {
    guard hasEdits, var pending = edits else {
      data = entity
      return
    }
    pending.replaceBase(entity, receivedBy: load)
    show(pending)
  }

  /// Whether a 304 about known content was about the content below the edits.
  private func isBaseConfirmed(with known: KnownContent) -> Bool {
    // One after another: choosing between both would copy the data; see ``hasEdits``.
    guard hasEdits else { return data?.isConfirmed(with: known) ?? false }
    return edits?.base.isConfirmed(with: known) ?? false
  }

  /// Moves the timestamp, the headers and what is derived from them of the content below the edits.
  ///
  /// - Returns: whether the content is another one.
  private mutating func confirmBase(_ known: KnownContent, as confirmed: AnyEntity) -> Bool {
    guard hasEdits, var pending = edits else {
      return data?.confirm(known, as: confirmed) ?? false
    }
    let isDerived = pending.confirmBase(known, as: confirmed)
    show(pending)
    return isDerived
  }

  /// Shows what all edits have made of the content.
  mutating func show(_ content: AnyContent) { data?.content = content }

  /// Shows the content with these edits.
  ///
  /// - Parameter content: what they have made of it before; nil to apply them again.
  mutating func show(_ pending: OptimisticEdits, keeping content: AnyContent? = nil) {
    if let content {
      data = pending.base
      data?.content = content
    } else {
      data = pending.shown
    }
    edits = pending.isEmpty ? nil : pending
  }
}

// MARK: - Local changes

extension ResourceState {
  /// The content is replaced by a local write.
  ///
  /// - Parameter id: a number of its own among those of loads, so that it counts as newer than what
  ///   earlier loads brought.
  mutating func override(_ entity: AnyEntity, now: Duration, as id: LoadID) -> Action {
    reset(to: entity, confirming: id, freshSince: now)
    guard isLoading else { return .notify(.newData(.localOverride)) }
    var cancellation = end(loads)
    cancellation.event = .newData(.localOverride)
    return .cancel(cancellation)
  }

  /// Content of another resource is shown until a load brings some, unless it is of a load before the last
  /// wipe here. It is stale.
  ///
  /// - Parameter load: the load that brought it there.
  mutating func showPlaceholder(_ entity: AnyEntity, asOf load: LoadID) -> Action {
    guard data == nil, load >= confirmingLoad else { return .nothing }
    data = entity
    confirmingLoad = 0
    freshness = .never
    return .notify(.newData(.localOverride))
  }

  /// The content no longer counts as fresh.
  mutating func invalidate() -> Action {
    invalidatedThrough = newestLoad
    // To load again is what an invalidation is for; only a server's own Retry-After still delays it.
    if case .some = uncommon { failure?.isForgiven = true }
    return .notify(.invalidated)
  }

  /// The content is forgotten.
  ///
  /// - Parameters:
  ///   - next: the number of the next load of any resource.
  ///   - removesEntry: whether its entry of the persistent cache is to be removed too.
  mutating func wipe(before next: LoadID, removesEntry: Bool = true) -> Action {
    reset(to: nil, confirming: next, freshSince: .zero)
    var cancellation = end(loads)
    cancellation.removesEntry = removesEntry
    cancellation.event = .newData(.wipe)
    return .cancel(cancellation)
  }

  /// Replaces all but the loads in flight.
  private mutating func reset(
    to entity: AnyEntity?, confirming load: LoadID, freshSince time: Duration
  ) {
    edits = nil
    data = entity
    confirmingLoad = load
    failure = nil
    invalidatedThrough = -1
    freshness = .since(time)
  }
}

// MARK: - Invariants

extension ResourceState {
  /// Stops the program if an invariant does not hold. For tests; O(*n*) in the loads in flight.
  func checkInvariants() {
    inFlight.checkInvariants()
    precondition(loads.last ?? 0 <= newestLoad, "load \(newestLoad) is not the newest of \(loads)")
    precondition(invalidatedThrough <= newestLoad, "a load to come is invalidated")
    edits?.checkInvariants()
    if let edits { precondition(data != nil && !edits.isEmpty, "edits of nothing, or no edits") }
    if let failure { precondition(!counts(failure.load), "a load that failed is in flight") }
    if case .some(nil, nil) = uncommon { preconditionFailure("memory for nothing uncommon") }
  }
}
