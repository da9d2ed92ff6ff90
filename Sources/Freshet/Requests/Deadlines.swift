/// By when the work of a store's requests has to be done.
///
/// Every request holds them, so that one that is held has its deadline without its store too; they
/// refer to the requests weakly. One task sleeps for all of them: to set and to lift a deadline takes
/// no task and no timer of its own.
final class Deadlines {
  /// A deadline that was set: its number, and how often that had been given before.
  ///
  /// Whoever set a deadline may lift it when that has come for a request that was deallocated: the number
  /// may belong to another deadline by then.
  struct ID {
    fileprivate let number: DeadlineQueue.ID
    fileprivate let use: Int
  }

  private let isolation: StoreIsolation
  private let clock: any StoreClock
  private var queue = DeadlineQueue()
  /// Whose each deadline is, by its number.
  private var requests: [Weak<AnyRequest>] = []
  /// How often each number was given back.
  private var uses: [Int] = []
  /// The numbers that can be used again.
  private var free: [DeadlineQueue.ID] = []
  /// How many deadlines will be set soon.
  private var expectedCount = 0
  private var timer: Task<Void, Never>?
  /// Until when the timer task sleeps; nil where there is none.
  private var wakesAt: Duration?
  /// How many timer tasks have begun. One may be cancelled too late, and report when there is another.
  private var timerCount = 0

  init(isolation: StoreIsolation, clock: any StoreClock) {
    self.isolation = isolation
    self.clock = clock
  }

  deinit {
    timer?.cancel()
  }

  /// Says that ``set(for:in:)`` will be called soon: the timer task is not ended until then.
  func expect() {
    expectedCount += 1
  }

  /// Sets the deadline that was expected: ``AnyRequest/expire()`` is called when that has come.
  ///
  /// - Parameter request: nil if no request needs it any more.
  /// - Returns: what to lift it with.
  func set(for request: AnyRequest?, in timeout: Duration) -> ID? {
    expectedCount -= 1
    guard let request else { return nil }
    let number: DeadlineQueue.ID
    if let unused = free.popLast() {
      number = unused
      requests[number] = Weak(request)
    } else {
      number = requests.count
      requests.append(Weak(request))
      uses.append(0)
    }
    let deadline = clock.now + timeout
    queue.insert(number, at: deadline)
    sleep(until: deadline)
    return ID(number: number, use: uses[number])
  }

  /// Lifts a deadline; does nothing where that has come.
  func lift(_ id: ID) {
    guard uses[id.number] == id.use else { return }
    queue.remove(id.number)
    release(id.number)
  }

  private func release(_ number: DeadlineQueue.ID) {
    requests[number] = Weak(nil)
    uses[number] += 1
    free.append(number)
  }

  /// Ends the timer task if it sleeps for nobody.
  ///
  /// Called at the end of each turn that may have ended the last request, and not right at that end:
  /// where requests follow one another it sleeps on.
  func endTimerIfIdle() {
    guard queue.isEmpty, expectedCount == 0, wakesAt != nil else { return }
    timer.take()?.cancel()
    wakesAt = nil
  }

  /// Sets the timer, unless it is set for that time or an earlier one.
  private func sleep(until deadline: Duration) {
    if let wakesAt, wakesAt <= deadline { return }
    timer?.cancel()
    wakesAt = deadline
    timerCount += 1
    let (clock, number) = (clock, timerCount)
    // For all requests: what begins after a deadline is no part of the fetch that this begins in.
    timer = TokenAuthorizer.$fetches.withValue([]) {
      isolation.launch {
        do {
          try await clock.sleep(for: deadline - clock.now, purpose: .deadline)
          return true
        } catch {
          return false
        }
      } back: { [weak self] isTime in
        if isTime { self?.wake(number) }
      }
    }
  }

  private func wake(_ number: Int) {
    guard number == timerCount else { return }
    wakesAt = nil
    timer = nil
    // Responses that came while the actor was busy are ahead of this: they were in time.
    isolation.launch {
    } back: { [weak self] in
      self?.expire()
    }
  }

  private func expire() {
    let now = clock.now
    while let number = queue.popExpired(at: now) {
      let request = requests[number].object
      release(number)
      request?.expire()
    }
    // A deadline that was set since ``wake()`` may be later than those before it.
    if let next = queue.earliest { sleep(until: next) }
  }
}
