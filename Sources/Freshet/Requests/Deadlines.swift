/// By when the work of a store's requests has to be done.
///
/// Every request holds them, so that one that is held has its deadline without its store too; they
/// refer to the requests weakly. One task sleeps for all of them: to set and to lift a deadline takes
/// no task and no timer of its own.
final class Deadlines {
  typealias ID = DeadlineQueue.ID

  private let isolation: StoreIsolation
  private let clock: any StoreClock
  private var queue = DeadlineQueue()
  /// Whose each deadline is.
  private var requests: [Weak<AnyRequest>] = []
  /// The numbers that can be used again.
  private var free: [ID] = []
  /// How many deadlines will be set soon.
  private var expectedCount = 0
  private var timer: Task<Void, Never>?
  /// Until when the timer task sleeps; nil where there is none.
  private var wakesAt: Duration?

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
    let id: ID
    if let unused = free.popLast() {
      id = unused
      requests[id] = Weak(request)
    } else {
      id = requests.count
      requests.append(Weak(request))
    }
    let deadline = clock.now + timeout
    queue.insert(id, at: deadline)
    if wakesAt.map({ deadline < $0 }) ?? true { sleep(until: deadline) }
    return id
  }

  /// Lifts a deadline that has not come yet.
  func lift(_ id: ID) {
    queue.remove(id)
    release(id)
  }

  private func release(_ id: ID) {
    requests[id] = Weak(nil)
    free.append(id)
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

  private func sleep(until deadline: Duration) {
    timer?.cancel()
    wakesAt = deadline
    let clock = clock
    timer = isolation.launch {
      do {
        try await clock.sleep(for: deadline - clock.now)
        return true
      } catch {
        return false
      }
    } back: { [weak self] isTime in
      if isTime { self?.wake() }
    }
  }

  private func wake() {
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
    while let id = queue.popExpired(at: now) {
      let request = requests[id].object
      release(id)
      request?.expire()
    }
    if wakesAt == nil, let next = queue.earliest { sleep(until: next) }
  }
}
