import Foundation

@testable import Freshet

/// The rules of `ResourceState`, as plainly as possible: nothing is ever removed from a list,
/// everything is derived from flags.
struct NaiveResource {
  struct Load {
    /// It has ended, or does not count any more.
    var isOver = false
    /// It began after the last invalidation so far.
    var liftsInvalidation = true
  }

  struct Edit {
    let id: EditID
    var isRemoved = false
    var isCommitted = false
    /// The loads that had begun when it was committed.
    var loadsBefore = 0
  }

  /// The actions of one input.
  struct Outcome: Equatable {
    var begun: Int?
    var joined: Int?
    var events: [ResourceEvent] = []
    var cancelled: [Int] = []
    var removesEntry = false
  }

  struct Failure {
    let kind: ResourceError.Kind
    let retryAfter: Duration
    let lifetime: Duration
    let at: Duration
    var isForgiven = false
  }

  /// The load with number n is at index n - 1.
  var loads: [Load] = []
  var edits: [Edit] = []
  var base: String?
  var tag: String?
  var failure: Failure?
  var isInvalidated = false
  var confirmedAt = Duration.zero
  var lifetime: Duration?

  var running: [Int] { loads.indices.filter { !loads[$0].isOver }.map { $0 + 1 } }
  var shown: String? {
    base.map { edits.filter { !$0.isRemoved }.reduce($0) { "\($0)+\($1.id)" } }
  }
  var sentTag: String? {
    edits.contains { !$0.isRemoved && $0.isCommitted } ? nil : tag
  }
  func isRunning(_ id: Int) -> Bool { running.contains(id) }

  mutating func load() -> Outcome {
    loads.append(Load())
    return Outcome(begun: loads.count, events: [.requested])
  }

  mutating func loadIfNeeded(_ policy: ResourceState.Policy, now: Duration) -> Outcome {
    if let newest = running.last { return Outcome(joined: newest) }
    let isFresh =
      base != nil && !isInvalidated
      && now < confirmedAt + (lifetime ?? policy.freshnessLifetime)
    if isFresh { return Outcome() }
    if let failure {
      let own = failure.isForgiven ? .zero : max(policy.failureCooldown, failure.lifetime)
      if now < failure.at + max(own, failure.retryAfter) { return Outcome() }
    }
    return load()
  }

  mutating func cancel(_ ids: [Int]) -> Outcome {
    let given = ids.filter(isRunning)
    for id in given { loads[id - 1].isOver = true }
    guard !given.isEmpty else { return Outcome() }
    return Outcome(events: running.isEmpty ? [.requestCancelled] : [], cancelled: given)
  }

  mutating func succeed(_ id: Int, now: Duration, lifetime: Duration?) {
    for older in 0..<id { loads[older].isOver = true }
    failure = nil
    confirmedAt = now
    self.lifetime = lifetime
    if loads[id - 1].liftsInvalidation { isInvalidated = false }
  }

  mutating func replace(_ text: String, _ tag: String?, by id: Int) {
    base = text
    self.tag = tag
    for index in edits.indices where edits[index].isCommitted && edits[index].loadsBefore < id {
      edits[index].isRemoved = true
    }
  }

  mutating func fail(
    _ id: Int, _ kind: ResourceError.Kind, _ wait: Duration, lifetime: Duration, now: Duration
  ) -> Outcome {
    guard isRunning(id) else { return Outcome() }
    if kind == .cancelled { return cancel([id]) }
    for older in 0..<id { loads[older].isOver = true }
    failure = Failure(kind: kind, retryAfter: wait, lifetime: lifetime, at: now)
    return Outcome(events: [.error])
  }

  mutating func write(_ text: String?, now: Duration, _ event: ResourceEvent) -> Outcome {
    var outcome = cancel(running)
    (base, tag, failure, isInvalidated, lifetime) = (text, nil, nil, false, nil)
    confirmedAt = now
    for index in edits.indices { edits[index].isRemoved = true }
    outcome.events.append(event)
    return outcome
  }

  mutating func invalidate() -> Outcome {
    isInvalidated = true
    for index in loads.indices { loads[index].liftsInvalidation = false }
    failure?.isForgiven = true
    return Outcome(events: [.invalidated])
  }
}
