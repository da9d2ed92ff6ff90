/// The requests of a store that are under way, and by when each has to be done.
///
/// The store keeps them, so that a request outlives its handle; when the store goes, they go, and
/// each stops its work. One task sleeps for all of their deadlines: to set and to lift one takes
/// no task and no timer of its own.
final class RunningRequests {
  /// Where each request is: a value, so that a change of it is one access.
  private struct Places {
    private var requests: [AnyRequest?] = []
    /// The places that can be used again.
    private var free: [Int] = []

    subscript(place: Int) -> AnyRequest? { requests[place] }

    mutating func add(_ request: AnyRequest) -> Int {
      guard let place = free.popLast() else {
        requests.append(request)
        return requests.count - 1
      }
      requests[place] = request
      return place
    }

    mutating func remove(at place: Int) {
      requests[place] = nil
      free.append(place)
    }
  }

  private let isolation: StoreIsolation
  private let clock: any StoreClock
  private var requests = Places()
  private var deadlines = DeadlineQueue()
  /// How many deadlines will be set soon.
  private var expectedCount = 0
  /// How many channels are kept, whatever the number of requests at one time was.
  private static let mostChannels = 8
  /// Channels that nobody has read, in the order in which they came back.
  private var channels: [ProgressChannel] = []
  private var sleeper: Task<Void, Never>?
  /// Until when the sleeper sleeps; nil where there is none.
  private var wakesAt: Duration?

  init(isolation: StoreIsolation, clock: any StoreClock) {
    self.isolation = isolation
    self.clock = clock
  }

  deinit {
    sleeper?.cancel()
  }

  func insert(_ request: AnyRequest) {
    request.place = requests.add(request)
  }

  func remove(_ request: AnyRequest) {
    guard request.place >= 0 else { return }
    deadlines.remove(request.place)
    requests.remove(at: request.place)
    request.place = -1
  }

  /// A channel for the reports of one request.
  func makeChannel() -> ProgressChannel {
    guard let place = channels.firstIndex(where: { $0.beginNextUse() }) else {
      return ProgressChannel()
    }
    return channels.remove(at: place)
  }

  /// Takes back a channel that nobody has read; it serves again once nobody can report to it.
  func takeBack(_ channel: ProgressChannel) {
    // What has been here longest may be one that a transport never lets go of.
    if channels.count == Self.mostChannels { channels.removeFirst() }
    channels.append(channel)
  }

  /// Says that a deadline will be set soon: the sleeper is not let go until then.
  func expectDeadline() {
    expectedCount += 1
  }

  /// Sets the deadline that was expected: the request fails when that has come. Nil if there is no
  /// request any more.
  func setDeadline(of request: AnyRequest?, in timeout: Duration) {
    expectedCount -= 1
    guard let request else { return }
    let deadline = clock.now + timeout
    deadlines.insert(request.place, at: deadline)
    if let wakesAt, wakesAt <= deadline { return }
    sleep(until: deadline)
  }

  /// Lifts the deadline of a request, where it has one.
  func liftDeadline(of request: AnyRequest) {
    if request.place >= 0 { deadlines.remove(request.place) }
  }

  /// Wakes the sleeper if it sleeps for nobody.
  ///
  /// Called at the end of each turn that may have ended the last request, and not right at that end:
  /// where requests follow one another it sleeps on.
  func letSleeperGo() {
    guard deadlines.isEmpty, expectedCount == 0, wakesAt != nil else { return }
    sleeper.take()?.cancel()
    wakesAt = nil
  }

  private func sleep(until deadline: Duration) {
    sleeper?.cancel()
    wakesAt = deadline
    let clock = clock
    sleeper = isolation.launch {
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
    sleeper = nil
    // Answers that came while the actor was busy are ahead of this: they were in time.
    isolation.launch {
    } back: { [weak self] in
      self?.expire()
    }
  }

  private func expire() {
    let now = clock.now
    while let place = deadlines.popExpired(at: now) { requests[place]?.expire() }
    if wakesAt == nil, let next = deadlines.earliest { sleep(until: next) }
  }
}
