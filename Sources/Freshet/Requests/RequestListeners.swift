/// The hooks and waiters of a request: a value, so that the end of the request takes all of them at
/// once.
struct RequestListeners {
  /// Identifies a hook among those for the end that were not removed.
  typealias HookID = Int

  private(set) var ends = NumberedList<HookID, (LoadOutcome) -> Void>()
  /// The hooks that only inform of the end, with the objects that load from the request.
  private var unawaitedEnds: [(subject: ObjectIdentifier, hook: () -> Void)] = []
  private(set) var progress: [(Double) -> Void] = []
  private(set) var waits: [(RequestWait?) -> Void] = []
  /// That of the first list that has the request's resource as a page. In place, because nearly every request of a
  /// walk has just this one, which saves 4 % of a page that is confirmed; it holds nothing of the program, so it
  /// needs no release after the end.
  private(set) var listWait: ((RequestWait?) -> Void)?
  private var waiters = Waiters()

  /// Whether there is nothing to notify, now or later.
  var isEmpty: Bool {
    ends.isEmpty && unawaitedEnds.isEmpty && waits.isEmpty && progress.isEmpty && waiters.isEmpty
  }

  /// Looks whether anything waits for the end or for progress, except tasks that were cancelled.
  mutating func isAwaited() -> Bool {
    !ends.isEmpty || !progress.isEmpty || waiters.hasWaiting()
  }

  /// Adds a hook for the end.
  ///
  /// - Returns: the number to remove it with.
  mutating func append(end hook: @escaping (LoadOutcome) -> Void) -> HookID {
    let id = (ends.last?.id ?? 0) + 1
    ends.insert(hook, for: id)
    return id
  }

  /// Removes a hook for the end, if there is one with that number.
  mutating func removeEnd(_ id: HookID) -> ((LoadOutcome) -> Void)? { ends.remove(id) }

  /// Adds a hook that only informs of the end of a load from the request.
  mutating func append(unawaitedEnd hook: @escaping () -> Void, of subject: AnyObject) {
    unawaitedEnds.append((ObjectIdentifier(subject), hook))
  }

  /// Removes and returns these hooks: the load has ended before the request.
  mutating func takeUnawaitedEnds(of subject: AnyObject) -> [() -> Void] {
    let id = ObjectIdentifier(subject)
    let removed = unawaitedEnds.filter { $0.subject == id }
    if !removed.isEmpty { unawaitedEnds.removeAll { $0.subject == id } }
    return removed.map(\.hook)
  }

  /// Adds a hook for progress.
  mutating func append(progress hook: @escaping (Double) -> Void) { progress.append(hook) }

  /// Adds a hook for waits.
  mutating func append(wait hook: @escaping (RequestWait?) -> Void) { waits.append(hook) }

  /// Sets the hook of the first list that has the request's resource as a page.
  ///
  /// - Returns: false if there is one already.
  mutating func setListWait(_ hook: @escaping (RequestWait?) -> Void) -> Bool {
    guard listWait == nil else { return false }
    listWait = hook
    return true
  }

  /// A stream that ends when the request has ended, after the hooks.
  mutating func makeWaiter() -> AsyncStream<Void> { waiters.make() }

  /// Notifies of the end: first the hooks, then the waiters.
  mutating func end(_ ending: LoadOutcome) {
    ends.forEach { $0(ending) }
    for end in unawaitedEnds { end.hook() }
    waiters.resume()
  }

  /// Stops the program if an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    ends.checkInvariants()
    waiters.checkInvariants()
  }
}

/// A load that receives the outcome of a request.
protocol RequestedLoad: AnyObject {
  /// Whether a resource waits for the outcome: then its wipe cancels the request, and no other wipe does.
  var isWanted: Bool { get }
  /// The request has ended with new content, a confirmation or an error.
  func received(_ outcome: LoadOutcome)
  /// The request has ended without an outcome.
  func cancelled()
  /// A wait before another attempt has begun or ended.
  func waits()
  /// Another attempt may follow that error.
  func retries(after error: ResourceError)
}

extension RequestedLoad {
  func retries(after error: ResourceError) {}
}
