/// The deadlines for the work of a store's requests.
///
/// Every request holds this object, so that a request which outlives its store still has its
/// deadline; the requests are held weakly. One timer task serves all of them: setting or lifting a
/// deadline needs no task and no timer of its own.
final class Deadlines {
  /// Identifies a deadline that was set: its number, and how often that number was used before.
  ///
  /// A deadline that has passed for a deallocated request may still be lifted by its owner: the
  /// number may belong to another deadline by then.
  struct ID {
    fileprivate let number: DeadlineQueue.ID
    fileprivate let use: Int
  }

  /// The deadlines that are set: one value, so that setting or lifting one is one access. Together with
  /// ``RunningRequests`` that saves 3 % of a request that the server confirms.
  private struct Table {
    var queue = DeadlineQueue()
    /// The request of each deadline, by its number.
    private var requests = SlotMap<Weak<AnyRequest>>()
    /// How often each number was released.
    private var uses: [Int] = []

    mutating func insert(_ request: AnyRequest, at deadline: Duration) -> ID {
      let number = requests.insert(Weak(request))
      if number == uses.count { uses.append(0) }
      queue.insert(number, at: deadline)
      return ID(number: number, use: uses[number])
    }

    mutating func remove(_ id: ID) {
      guard uses[id.number] == id.use else { return }
      queue.remove(id.number)
      release(id.number)
    }

    /// Removes the earliest deadline, if it has passed, and returns its request, if that exists.
    mutating func popExpired(at now: Duration) -> Weak<AnyRequest>? {
      guard let number = queue.popExpired(at: now) else { return nil }
      let request = requests[number]
      release(number)
      return request
    }

    private mutating func release(_ number: DeadlineQueue.ID) {
      requests.remove(at: number)
      uses[number] += 1
    }

    /// Stops the program if an invariant does not hold. For tests; O(*d*).
    func checkInvariants() {
      queue.checkInvariants()
      requests.checkInvariants()
      precondition(queue.count == requests.count, "a deadline without a request, or none")
      precondition(
        uses.indices.allSatisfy { queue.contains($0) == (requests[$0] != nil) },
        "a number has a deadline and no request, or a request and no deadline")
    }
  }

  private let isolation: StoreIsolation
  private let clock: any StoreClock
  private var table = Table()
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
    let id = table.insert(request, at: deadline)
    sleep(until: deadline)
    return id
  }

  /// Lifts a deadline; does nothing if it has passed.
  func lift(_ id: ID) { table.remove(id) }

  /// Ends the timer task if it sleeps for no deadline.
  ///
  /// Called at the end of each turn that may have ended the last request, and not right at that
  /// end: if requests follow one another the same task continues.
  func endTimerIfIdle() {
    guard expectedCount == 0, wakesAt != nil, table.queue.isEmpty else { return }
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
          try await clock.sleep(for: deadline - clock.now, purpose: .deadline)
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
    while let request = table.popExpired(at: now) { request.object?.expire() }
    // A deadline that was set since ``wake()`` may be later than those before it.
    if let next = table.queue.earliest { sleep(until: next) }
  }
}

extension Deadlines {
  /// Stops the program if an invariant does not hold. For tests; O(*d*).
  func checkInvariants() {
    table.checkInvariants()
    precondition(expectedCount >= 0)
    precondition((timer == nil) == (wakesAt == nil), "a timer task that never wakes, or none")
  }
}
