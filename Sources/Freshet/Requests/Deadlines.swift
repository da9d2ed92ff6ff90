/// The deadlines for the work of a store's requests.
///
/// Every request holds this object, so that a request which outlives its store still has its
/// deadline; the requests are held weakly. One timer task serves all of them: setting or lifting a
/// deadline needs no task and no timer of its own.
final class Deadlines {
  /// Identifies a deadline that was set.
  typealias ID = DeadlineQueue<Weak<AnyRequest>>.ID

  private let isolation: StoreIsolation
  private let clock: any StoreClock
  private var queue = DeadlineQueue<Weak<AnyRequest>>()
  /// How many deadlines will be set soon.
  private var expectedCount = 0
  private var timer: Task<Void, Never>?
  /// When the timer task wakes; nil if there is none.
  private var wakesAt: Duration?
  /// How many timer tasks have begun. One may be cancelled too late, and report when another one
  /// runs.
  private var timerCount = 0

  init(isolation: StoreIsolation, clock: any StoreClock) {
    self.isolation = isolation
    self.clock = clock
  }

  deinit {
    timer?.cancel()
  }

  /// Announces a call of ``set(for:in:)``: the timer task is not ended until then.
  func expect() {
    expectedCount += 1
  }

  /// Sets the deadline that was announced: ``AnyRequest/expire()`` is called when it passes.
  ///
  /// - Parameter request: nil if no request needs the deadline any more.
  /// - Returns: the identifier to lift the deadline with.
  func set(for request: AnyRequest?, in timeout: Duration) -> ID? {
    expectedCount -= 1
    guard let request else { return nil }
    let deadline = clock.now + timeout
    let id = queue.insert(Weak(request), at: deadline)
    sleep(until: deadline)
    return id
  }

  /// Lifts a deadline; does nothing if it has passed.
  func lift(_ id: ID) { queue.remove(id) }

  /// Ends the timer task if it sleeps for no deadline.
  ///
  /// Called at the end of each turn that may have ended the last request, and not right at that
  /// end: if requests follow one another the same task continues.
  func endTimerIfIdle() {
    guard expectedCount == 0, wakesAt != nil, queue.isEmpty else { return }
    timer.take()?.cancel()
    wakesAt = nil
  }

  /// Sets the timer, unless it is set to that time or an earlier one.
  private func sleep(until deadline: Duration) {
    if let wakesAt, wakesAt <= deadline { return }
    timer?.cancel()
    wakesAt = deadline
    timerCount += 1
    let (clock, number) = (clock, timerCount)
    // For all requests: work after a deadline is not part of the fetch that sets this timer.
    timer = TokenFetch.$current.withValue([]) {
      isolation.launch {
        do {
          try await clock.sleep(until: deadline, purpose: .deadline)
          return true
        } catch {
          return false
        }
      } completion: { [weak self] isTime in
        if isTime { self?.wake(number) }
      }
    }
  }

  private func wake(_ number: Int) {
    guard number == timerCount else { return }
    wakesAt = nil
    timer = nil
    // Responses that arrived while the actor was busy come before this: they were in time.
    isolation.launch {
    } completion: { [weak self] in
      self?.expire()
    }
  }

  private func expire() {
    let now = clock.now
    while let request = queue.popExpired(at: now) { request.object?.expire() }
    // A deadline that was set since ``wake()`` may be later than those before it.
    if let next = queue.earliest { sleep(until: next) }
  }
}

extension Deadlines {
  /// Stops the program if an invariant does not hold. For tests; O(*d*).
  func checkInvariants() {
    queue.checkInvariants()
    precondition(expectedCount >= 0)
    precondition((timer == nil) == (wakesAt == nil), "a timer task that never wakes, or none")
  }
}
