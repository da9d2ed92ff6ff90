/// Identifies an observer; no other one of its list ever has the same number.
typealias ObserverSerial = Int

/// The observers of one subject, in the order in which they were added.
///
/// The subject emits events to the store's queue and iterates over the list from there, one
/// delivery at a time, while observers may be added and removed.
final class ObserverList<Element: Listener> {
  /// The observers, in memory that the list allocates.
  ///
  /// Not in an array: reading an element in place needs exclusive access to the array. Saves 37 % of `notify.objects`.
  private var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
  private var capacity = 1
  /// The newest observer of each identity, stored only once the list is long enough for that to pay.
  /// Another object may have the identity of one that was deallocated.
  private(set) var byIdentity: [ObjectIdentifier: ObserverSerial]?
  /// How many entries there are, including removed ones that are not swept yet: the end of an
  /// iteration.
  private(set) var endIndex = 0
  /// How many were removed and are not swept yet.
  private var removedCount = 0
  private var newest: ObserverSerial = 0
  /// When to look for observers without owners.
  private var schedule = PruneSchedule()
  /// The end of the positions at the front where no observer has an owner any more; none gets another one.
  private var releasedEnd: Int32 = 0

  private static var shortList: Int { 16 }

  deinit {
    entries.deinitialize(count: endIndex)
    entries.deallocate()
  }

  var isEmpty: Bool { endIndex == removedCount }
  /// Whether any observer still has an owner.
  ///
  /// - Complexity: amortized O(1): observers that were removed or deallocated are passed once until the next
  ///   sweep.
  var hasLiving: Bool {
    while releasedEnd < endIndex {
      let position = Int(releasedEnd)
      let serial = serial(at: position)
      if isListed(at: position), entry(at: position).pointee.listener.observer()?.isAlive == true {
        return true
      }
      // The position is different if reading has changed the list.
      if position < endIndex, self.serial(at: position) == serial {
        releasedEnd = max(releasedEnd, Int32(clamping: position + 1))
      }
    }
    return false
  }

  /// Whether an observer that satisfies the predicate still has an owner.
  ///
  /// - Complexity: O(*o*) in the number of observers.
  func hasLiving(where isSought: (Element.Observer) -> Bool) -> Bool {
    first { $0.map { $0.isAlive && isSought($0) } ?? false } != nil
  }

  /// Adds an observer, which is not notified of anything before it is activated.
  ///
  /// - Complexity: amortized O(1).
  func append(_ listener: Element) -> ObserverSerial {
    if endIndex == capacity { grow() }
    newest += 1
    (entries + endIndex).initialize(to: Entry(listener, serial: newest))
    endIndex += 1
    if endIndex > Self.shortList { noteIdentity(of: newest) }
    return newest
  }

  private func grow() {
    capacity *= 2
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    larger.moveInitialize(from: entries, count: endIndex)
    entries.deallocate()
    entries = larger
  }

  /// The entry at a position.
  private func entry(at position: Int) -> UnsafeMutablePointer<Entry> {
    precondition(position >= 0 && position < endIndex, "ObserverList: nothing is at that position")
    return entries + position
  }

  /// Activates an observer, which receives events from now on.
  ///
  /// - Returns: the observer to notify that it was added; nil if it was deallocated or removed.
  func activate(_ serial: ObserverSerial) -> Element.Observer? {
    guard let position = position(of: serial) else { return nil }
    entry(at: position).pointee.phase = .active
    return entry(at: position).pointee.listener.observer()
  }

  /// Notifies all active observers.
  ///
  /// - Parameter remove: removes an observer without owners.
  /// - Returns: whether observers were swept and none is left.
  @discardableResult
  func notify(_ notice: Notice, removing remove: (ObserverSerial) -> Void) -> Bool {
    // Observers that are added meanwhile come after this end.
    let count = endIndex
    var index = 0
    while let observer = next(&index, before: count) {
      if !observer.notify(notice) { remove(serial(at: index - 1)) }
    }
    return sweep()
  }

  /// The next observer to notify, up to the end that the list had when the iteration began.
  private func next(_ index: inout Int, before end: Int) -> Element.Observer? {
    while index < end {
      let position = index
      index += 1
      if let observer = entry(at: position).pointee.activeObserver() { return observer }
      if entry(at: position).pointee.isActive { remove(at: position) }
    }
    return nil
  }

  private func isListed(at position: Int) -> Bool { entry(at: position).pointee.isListed }
  private func serial(at index: Int) -> ObserverSerial { entry(at: index).pointee.serial }

  /// Whether an observer is still listed.
  func contains(_ serial: ObserverSerial) -> Bool { position(of: serial) != nil }

  /// Removes an observer: it receives nothing from now on. Its position is swept later.
  ///
  /// - Returns: the listener to notify of that; nil if it was removed before.
  func remove(_ serial: ObserverSerial) -> Element? {
    guard let position = position(of: serial) else { return nil }
    remove(at: position)
    return entry(at: position).pointee.listener
  }

  private func remove(at position: Int) {
    entry(at: position).pointee.phase = .removed
    removedCount += 1
  }

  /// Sweeps the positions of removed observers, once there are enough of them.
  ///
  /// Must not be called while a delivery iterates over the list.
  ///
  /// - Returns: whether it has swept and none is left.
  /// - Complexity: amortized O(1) for each removal.
  @discardableResult
  func sweep() -> Bool {
    guard removedCount > 0, removedCount * 2 >= endIndex else { return false }
    // Released at the end: code that runs when the observers are deallocated may call the list
    // again.
    var removed: [Entry] = []
    removed.reserveCapacity(removedCount)
    var end = 0
    for position in 0..<endIndex {
      var entry = (entries + position).move()
      guard entry.isListed else {
        removed.append(entry)
        continue
      }
      (entries + end).initialize(to: entry)
      end += 1
    }
    endIndex = end
    removedCount = 0
    releasedEnd = 0
    schedule.shrunk(to: endIndex)
    if endIndex <= Self.shortList { byIdentity = nil }
    withExtendedLifetime(removed) {}
    return isEmpty
  }

  /// The observers without owners, if the list has become so long that there may be many; the
  /// caller removes them. Without this, a subject that never has an event would collect them for
  /// ever.
  ///
  /// - Complexity: amortized O(1) for each observer added.
  func expiredWhenCrowded() -> [ObserverSerial] {
    guard schedule.isDue(at: endIndex) else { return [] }
    let expired = released()
    // Those that were removed count until they are swept: in a long delivery, additions would look at all of them.
    schedule.pruned(leaving: endIndex)
    return expired
  }
}

// MARK: - Entries

extension ObserverList {
  /// An observer in a list, with its serial number and phase: 8 bytes in addition to the listener.
  fileprivate struct Entry {
    enum Phase: Int {
      /// The observer is listed and was not notified of that yet; it does not receive earlier events.
      case added
      /// The observer was notified that it was added, and receives every event.
      case active
      /// The observer was removed; it receives nothing more, not even events that were posted before.
      case removed
    }

    var listener: Element
    /// The serial number, and the phase in the last two bits.
    private var bits: Int

    init(_ listener: Element, serial: ObserverSerial) {
      self.listener = listener
      bits = serial << 2
    }

    // Mutating for the reason that ``Listener/observer()`` is.
    var isListed: Bool { mutating get { phase != .removed } }
    var isActive: Bool { mutating get { phase == .active } }
    var serial: ObserverSerial { mutating get { bits >> 2 } }
    var phase: Phase {
      get { Phase(rawValue: bits & 3) ?? .removed }
      set { bits = bits & ~3 | newValue.rawValue }
    }

    /// The observer to notify of an event.
    mutating func activeObserver() -> Element.Observer? {
      isActive ? listener.observer() : nil
    }
  }
}

// MARK: - Objects and owners

extension ObserverList {
  /// The observers whose owners were all deallocated.
  ///
  /// - Complexity: O(*o*) in the number of observers.
  func released() -> [ObserverSerial] {
    serials { !($0?.isAlive ?? false) }
  }

  /// The observer that is this object, if it is still listed.
  ///
  /// - Complexity: O(1) on average.
  func serial(of identity: ObjectIdentifier) -> ObserverSerial? {
    guard let byIdentity else { return first { $0?.identity == identity } }
    let serial = byIdentity[identity]
    return serial.flatMap { observer($0)?.identity == identity ? $0 : nil }
  }

  /// Whether an observer still has an owner.
  func isAlive(_ serial: ObserverSerial) -> Bool {
    observer(serial)?.isAlive ?? false
  }

  func addOwner(_ owner: AnyObject, to serial: ObserverSerial) {
    guard let observer = observer(serial), let listener = Element.addOwner(owner, to: observer),
      let position = position(of: serial)
    else { return }
    entry(at: position).pointee.listener = listener
  }

  /// Removes one owner of an observer.
  ///
  /// - Returns: whether the observer is still kept.
  func removeOwner(_ owner: AnyObject, from serial: ObserverSerial) -> Bool {
    observer(serial)?.removeOwner(owner) ?? false
  }

  /// The observers that an object owns.
  func serials(ownedBy owner: AnyObject) -> [ObserverSerial] {
    serials { $0?.isOwned(by: owner) ?? false }
  }

  private func observer(_ serial: ObserverSerial) -> Element.Observer? {
    position(of: serial).flatMap { entry(at: $0).pointee.listener.observer() }
  }

  /// The first listed observer that satisfies the predicate, which receives nil for one that was
  /// deallocated.
  ///
  /// - Parameter serial: only observers after this one are considered.
  private func first(
    after serial: ObserverSerial = 0, where isSought: (Element.Observer?) -> Bool
  ) -> ObserverSerial? {
    var position = serial == 0 ? 0 : firstPosition(from: serial + 1)
    while position < endIndex {
      let serial = self.serial(at: position)
      if isListed(at: position), isSought(entry(at: position).pointee.listener.observer()) {
        return serial
      }
      // The position is different if reading has changed the list.
      let isThere = position < endIndex && self.serial(at: position) == serial
      position = isThere ? position + 1 : firstPosition(from: serial + 1)
    }
    return nil
  }

  private func serials(where isSought: (Element.Observer?) -> Bool) -> [ObserverSerial] {
    var found: [ObserverSerial] = []
    while let next = first(after: found.last ?? 0, where: isSought) { found.append(next) }
    return found
  }

  /// The position of an observer that is listed.
  ///
  /// - Complexity: O(1) for the last position, O(log *o*) in the number of observers for others.
  private func position(of serial: ObserverSerial) -> Int? {
    let position = firstPosition(from: serial)
    guard position < endIndex, self.serial(at: position) == serial, isListed(at: position)
    else { return nil }
    return position
  }

  /// The first position whose serial number is at least this one. Serial numbers grow along the list,
  /// and the newest observer, which is looked up when it is added, is at its end.
  private func firstPosition(from serial: ObserverSerial) -> Int {
    let isAtEnd = endIndex > 0 && self.serial(at: endIndex - 1) <= serial
    return ((isAtEnd ? endIndex - 1 : 0)..<endIndex)
      .partitionPoint { self.serial(at: $0) >= serial }
  }

  /// Notes the identity of an observer; first those of all, where none or too many are noted.
  ///
  /// Reading an identity may deallocate an observer, whose `deinit` may search the list: until all are
  /// noted, nothing is.
  private func noteIdentity(of newest: ObserverSerial) {
    guard byIdentity.map({ $0.count > 2 * endIndex }) ?? true else {
      if let identity = observer(newest)?.identity { byIdentity?[identity] = newest }
      return
    }
    byIdentity = nil
    var noted: [ObjectIdentifier: ObserverSerial] = [:]
    for serial in serials(where: { $0 != nil }) {
      if let identity = observer(serial)?.identity { noted[identity] = serial }
    }
    guard endIndex > Self.shortList else { return }
    byIdentity = (byIdentity ?? [:]).merging(noted) { max($0, $1) }
  }
}

extension ObserverList {
  /// Stops the program if an invariant does not hold. For tests; O(*o*).
  func checkInvariants() {
    let serials = (0..<endIndex).map(serial)
    precondition(capacity >= endIndex)
    precondition(zip(serials, serials.dropFirst()).allSatisfy { $0 < $1 }, "order: \(serials)")
    precondition((serials.last ?? 0) <= newest)
    precondition((0..<endIndex).count { !isListed(at: $0) } == removedCount, "removed")
    precondition(byIdentity == nil || endIndex > Self.shortList, "identities of a short list")
    let released = (0..<Int(releasedEnd)).map { isListed(at: $0) ? serial(at: $0) : 0 }
    precondition(released.allSatisfy { $0 == 0 || !isAlive($0) }, "an observer has an owner again")
  }
}
