import Foundation
import Testing

@testable import Freshet

@Suite("The state of a resource under random inputs")
struct ResourceStateModelTests {
  typealias State = ResourceState

  /// One run: the state, the model, and what the loads were begun with.
  struct Run {
    var random: SeededGenerator
    var state = State()
    var model = NaiveResource()
    var now = Duration.zero
    var known: [Int: AnyEntity] = [:]
    var texts = 0
    var newestReceived = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func entity(tagged: Bool) -> AnyEntity {
      texts += 1
      let headers: HTTPHeaders = tagged ? ["ETag": "\"\(texts)\""] : [:]
      return ResourceEntity("text\(texts)", headers: headers, timestamp: date).erased
    }

    /// A 304 about that content.
    func confirming(_ known: AnyEntity, lifetime: Duration?) -> LoadOutcome {
      var entity = known
      entity.timestamp = date
      return .success(
        Fetched(entity: entity, confirming: KnownContent(known), lifetime: lifetime))
    }

    var date: Date { Date(timeIntervalSince1970: now / .seconds(1)) }
    /// Any load that ever was, finished ones and unknown ones included.
    mutating func anyLoad() -> Int { Int.random(in: 1...(model.loads.count + 1), using: &random) }
    mutating func anyEdit() -> Int { Int.random(in: 1...(model.edits.count + 1), using: &random) }

    mutating func policy() -> State.Policy {
      State.Policy(
        freshnessLifetime: .seconds(random.pick([0, 3, 1 << 40])),
        failureCooldown: .seconds(random.pick([0, 2, 8])))
    }
  }

  @Test(
    "Every random sequence does what the naive model does", arguments: 1...40 as ClosedRange<UInt64>
  )
  func matchesModel(seed: UInt64) {
    for round in 0..<trialCount(50) {
      let seed = seed * 1_000 + UInt64(round)
      var run = Run(seed: seed)
      for step in 0..<60 {
        let (input, expected) = next(&run)
        let action = run.state.handle(input)
        run.state.checkInvariants()
        let place = "seed \(seed) step \(step): \(input)"
        #expect(NaiveResource.Outcome(action) == expected, "\(place)")
        if let begun = expected.begun { run.known[begun] = run.state.confirmable }
        check(&run, input, expected, place)
      }
    }
  }

  private func check(
    _ run: inout Run, _ input: ResourceStateInput, _ expected: NaiveResource.Outcome,
    _ place: String
  ) {
    let (state, model) = (run.state, run.model)
    #expect(state.isLoading == !model.running.isEmpty, "\(place)")
    #expect(state.loads == model.running, "\(place)")
    #expect(state.data?.text == model.shown, "\(place)")
    #expect(state.error?.kind == model.failure?.kind, "\(place)")
    #expect(state.isInvalidated == model.isInvalidated, "\(place)")
    #expect(state.confirmable?.validators.etag == model.sentTag, "\(place)")
    #expect(expected.events.count { $0 == .requestCancelled } <= 1, "\(place)")
    if case .received(let id, let response, _) = input, !expected.events.isEmpty {
      if expected.events == [.requestCancelled] { return }
      #expect(id > run.newestReceived, "\(place): an older response replaced a newer one")
      run.newestReceived = id
      if case .success(let fetched) = response, fetched.known != nil {
        #expect(state.data?.timestamp == run.date, "\(place)")
      }
    }
  }

  /// A random input, and the actions of the model.
  private func next(_ run: inout Run) -> (ResourceStateInput, NaiveResource.Outcome) {
    if run.random.chance(0.3) { run.now += .seconds(Int.random(in: 0...4, using: &run.random)) }
    let now = run.now
    switch Int.random(in: 0..<13, using: &run.random) {
    case 0, 1: return (.load, run.model.load())
    case 2:
      let policy = run.policy()
      return (.loadIfNeeded(policy, now: now), run.model.loadIfNeeded(policy, now: now))
    case 3, 4: return response(&run)
    case 5: return restore(&run)
    case 6:
      return run.random.chance(0.5)
        ? cancel(&run) : (.cancelledAll, run.model.cancel(run.model.running))
    case 7: return (.invalidated, run.model.invalidate())
    case 8 where run.random.chance(0.5):
      let entity = run.entity(tagged: false)
      return (
        .overridden(entity, now: now),
        run.model.write(entity.text, now: now, .newData(.localOverride))
      )
    case 8:
      var outcome = run.model.write(nil, now: now, .newData(.wipe))
      outcome.removesEntry = true
      return (.wiped, outcome)
    case 9, 10: return edit(&run)
    default: return endEdit(&run)
    }
  }

  private func response(_ run: inout Run) -> (ResourceStateInput, NaiveResource.Outcome) {
    let (id, now) = (run.anyLoad(), run.now)
    let lifetime: Duration? = run.random.pick([nil, .seconds(1), .seconds(9)])
    if let known = run.known[id], known.validators.etag != nil, run.random.chance(0.4) {
      let input = ResourceStateInput.received(
        id,
        run.confirming(known, lifetime: lifetime), now: now)
      guard run.model.isRunning(id) else { return (input, .init()) }
      let isSame = run.model.tag == known.validators.etag
      run.model.succeed(id, now: now, lifetime: lifetime)
      if !isSame { run.model.replace(known.text, known.validators.etag, by: id) }
      return (input, .init(events: [isSame ? .notModified : .newData(.network)]))
    }
    if run.random.chance(0.4) {
      let kind = run.random.pick([.http, .timeout, .cancelled] as [ResourceError.Kind])
      let wait: Duration = .seconds(run.random.pick([0, 1, 5]))
      let fresh: Duration = .seconds(run.random.pick([0, 0, 3]))
      var error = ResourceError(kind, "", retryAfter: wait > .zero ? wait : nil)
      if fresh > .zero { error = error.fresh(for: fresh) }
      return (
        .received(id, .failure(error), now: now),
        run.model.fail(id, kind, wait, lifetime: fresh, now: now)
      )
    }
    let entity = run.entity(tagged: run.random.chance(0.7))
    let input = ResourceStateInput.received(
      id, .success(Fetched(entity: entity, lifetime: lifetime)), now: now)
    guard run.model.isRunning(id) else { return (input, .init()) }
    run.model.succeed(id, now: now, lifetime: lifetime)
    run.model.replace(entity.text, entity.validators.etag, by: id)
    return (input, .init(events: [.newData(.network)]))
  }

  private func restore(_ run: inout Run) -> (ResourceStateInput, NaiveResource.Outcome) {
    let (id, now, age) = (run.anyLoad(), run.now, Duration.seconds(2))
    let policy = run.random.chance(0.5) ? run.policy() : nil
    let entity = run.entity(tagged: true)
    let input = ResourceStateInput.restored(
      id, Restored(entity: entity, age: age, lifetime: nil), policy, now: now)
    guard run.model.isRunning(id), run.model.base == nil else { return (input, .init()) }
    run.model.base = entity.text
    run.model.tag = entity.validators.etag
    run.model.confirmedAt = now - age
    run.model.lifetime = nil
    if let policy, !run.model.isInvalidated, age < policy.freshnessLifetime {
      run.model.failure = nil
      for older in 0..<id { run.model.loads[older].isOver = true }
    }
    return (input, .init(events: [.newData(.cache)]))
  }

  private func cancel(_ run: inout Run) -> (ResourceStateInput, NaiveResource.Outcome) {
    let id = run.anyLoad()
    return (.cancelled(id), run.model.cancel([id]))
  }

  private func edit(_ run: inout Run) -> (ResourceStateInput, NaiveResource.Outcome) {
    let id = run.model.edits.count + 1
    run.model.edits.append(.init(id: id, isRemoved: run.model.base == nil))
    let input = ResourceStateInput.edited(id, ContentBox<String>.edit { $0 += "+\(id)" })
    guard run.model.base != nil else { return (input, .init()) }
    return (input, .init(events: [.newData(.localOverride)]))
  }

  private func endEdit(_ run: inout Run) -> (ResourceStateInput, NaiveResource.Outcome) {
    let (id, commits) = (run.anyEdit(), run.random.chance(0.5))
    let input: ResourceStateInput = commits ? .committed(id) : .rolledBack(id)
    guard let index = run.model.edits.firstIndex(where: { $0.id == id }),
      !run.model.edits[index].isRemoved, !run.model.edits[index].isCommitted
    else { return (input, .init()) }
    if commits {
      run.model.edits[index].isCommitted = true
      run.model.edits[index].loadsBefore = run.model.loads.count
      return (input, .init())
    }
    run.model.edits[index].isRemoved = true
    return (input, .init(events: [.newData(.localOverride)]))
  }
}
