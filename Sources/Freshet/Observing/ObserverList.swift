/// The observers of one subject, in the order in which they were added.
///
/// The owner of the list posts events to the store's queue and walks the list from there, one delivery
/// at a time, while observers may be added and removed under it. An observer goes by its serial, which
/// no other one of this list ever gets.
final class ObserverList<Element: Listener> {
  typealias Serial = Int

  private struct Entry {
    var listener: Element
    var standing: Standing

    var isListed: Bool { standing.phase != .removed }

    var isActive: Bool { standing.phase == .active }

    mutating func isLiving() -> Bool { isListed && listener.isAlive() }

    /// Whom to tell of an event.
    mutating func activeCallee() -> Element.Callee? { isActive ? listener.callee() : nil }
  }

  private var entries: [Entry] = []
  /// Where each object is, kept only once the list is long enough for that to pay.
  private(set) var byIdentity: IdentityTable?
  /// How many are listed, those that were removed but not yet swept included: the bound for a walk.
  ///
  /// The number of entries, kept beside them because every delivery asks for it more than once, and to
  /// ask the array takes measurably longer.
  private(set) var endIndex = 0
  /// How many were removed and are not swept yet.
  private var removedCount = 0
  private var newest: Serial = 0
  /// The length at which it is worth looking for observers that have gone.
  private var crowded = ObserverList.shortList

  private static var shortList: Int { 16 }

  var isEmpty: Bool { endIndex == removedCount }
  /// Whether anything observes. Only looks.
  ///
  /// - Complexity: O(1), beside observers that have gone and are not noticed yet.
  var hasLiving: Bool {
    for place in 0..<endIndex where entries[place].isLiving() { return true }
    return false
  }

  /// Whether an observer of some kind observes.
  ///
  /// - Complexity: O(*o*) in the number of observers.
  func hasLiving(where isSought: (inout Element) -> Bool) -> Bool {
    for place in 0..<endIndex where entries[place].isLiving() && isSought(&entries[place].listener)
    {
      return true
    }
    return false
  }

  /// Adds an observer, which is not told anything before it is activated.
  ///
  /// - Complexity: amortised O(1).
  func append(_ listener: Element) -> Serial {
    newest += 1
    endIndex += 1
    entries.append(Entry(listener: listener, standing: Standing(serial: newest)))
    if entries.count > Self.shortList { index(entries.count - 1) }
    return newest
  }

  /// From now on the observer hears events.
  ///
  /// - Returns: whom to tell that it was added; nil where it has gone or was removed.
  func activate(_ serial: Serial) -> Element.Callee? {
    guard let place = place(of: serial) else { return nil }
    entries[place].standing.phase = .active
    return entries[place].listener.callee()
  }

  /// Tells all that are active.
  ///
  /// - Parameter end: takes off one that has gone.
  /// - Returns: whether observers were swept and none is left.
  @discardableResult
  func deliver(_ notice: Element.Notice, ending end: (Serial) -> Void) -> Bool {
    // Observers that are added meanwhile stand behind this end.
    let count = endIndex
    var index = 0
    while let callee = next(&index, before: count) {
      if !Element.tell(callee, notice) { end(serial(at: index - 1)) }
    }
    return sweep()
  }

  /// Whom to tell next in a walk, which goes to the end that the list had when it began.
  private func next(_ index: inout Int, before end: Int) -> Element.Callee? {
    while index < end {
      let place = index
      index += 1
      if let callee = entries[place].activeCallee() { return callee }
      if entries[place].isActive { remove(at: place) }
    }
    return nil
  }

  /// The serial of an observer that a walk has come to.
  private func serial(at index: Int) -> Serial { entries[index].standing.serial }

  /// Whether that one is still listed.
  func contains(_ serial: Serial) -> Bool { place(of: serial) != nil }

  /// Takes an observer out: it hears nothing from now on. Its place is swept later.
  ///
  /// - Returns: what is to be told that; nil if it was removed before.
  func remove(_ serial: Serial) -> Element? {
    guard let place = place(of: serial) else { return nil }
    remove(at: place)
    return entries[place].listener
  }

  private func remove(at place: Int) {
    entries[place].standing.phase = .removed
    removedCount += 1
  }

  /// Sweeps the places of removed observers, when they are enough to pay for it.
  ///
  /// Not to be called while a delivery walks the list.
  ///
  /// - Returns: whether it has swept and none is left.
  /// - Complexity: amortised O(1) for each removal.
  @discardableResult
  func sweep() -> Bool {
    guard removedCount > 0, removedCount * 2 >= endIndex else { return false }
    // Let go of at the end: what goes with the observers may come back here.
    let all = entries
    entries = all.filter(\.isListed)
    endIndex = entries.count
    removedCount = 0
    byIdentity = nil
    if entries.count > Self.shortList { index(entries.count - 1) }
    withExtendedLifetime(all) {}
    return isEmpty
  }

  /// The observers that have gone by themselves, if the list has become so long that they might be
  /// many; to be removed by the caller. Without this, a subject that never has an event would collect
  /// them for ever.
  ///
  /// - Complexity: amortised O(1) for each observer added.
  func goneWhenCrowded() -> [Serial] {
    guard endIndex >= crowded else { return [] }
    let gone = serials { !entries[$0].listener.isAlive() }
    crowded = max(Self.shortList, 2 * (endIndex - removedCount - gone.count))
    return gone
  }
}

// MARK: - Objects and owners

extension ObserverList {
  /// The observer that is this object, if it is still listed.
  ///
  /// - Complexity: O(1) on average.
  func serial(of identity: ObjectIdentifier) -> Serial? {
    func isSought(_ place: Int) -> Bool {
      entries[place].isListed && entries[place].listener.identity() == identity
    }
    let place =
      if let byIdentity {
        byIdentity.first(of: identity, where: isSought)
      } else {
        entries.indices.first(where: isSought)
      }
    return place.map(serial(at:))
  }

  /// Whether something still keeps that observer here.
  func isAlive(_ serial: Serial) -> Bool {
    guard let place = place(of: serial) else { return false }
    return entries[place].listener.isAlive()
  }

  func addOwner(_ owner: AnyObject, to serial: Serial) {
    if let place = place(of: serial) { entries[place].listener.addOwner(owner) }
  }

  /// Those that the object owns.
  func serials(ownedBy owner: AnyObject) -> [Serial] {
    serials { entries[$0].listener.isOwned(by: owner) }
  }

  /// The observer of that serial, if it is still listed.
  func listener(_ serial: Serial) -> Element? {
    place(of: serial).map { entries[$0].listener }
  }

  private func serials(where isSought: (_ place: Int) -> Bool) -> [Serial] {
    entries.indices.filter { entries[$0].isListed && isSought($0) }.map(serial(at:))
  }

  /// Serials grow along the list. The newest observer, who is asked for when it is added, is at its end.
  ///
  /// - Complexity: O(1) for the last place, O(log *o*) in the number of observers for others.
  private func place(of serial: Serial) -> Int? {
    var (low, high) = (0, entries.count)
    if high > 0, entries[high - 1].standing.serial <= serial { low = high - 1 }
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].standing.serial < serial { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].standing.serial == serial, entries[low].isListed else {
      return nil
    }
    return low
  }

  /// Puts the last place into the table of objects, or all into a larger one.
  private func index(_ last: Int) {
    if byIdentity?.hasRoom == true {
      if let identity = entries[last].listener.identity() {
        byIdentity?.insert(last, of: identity) { entries[$0].isListed }
      }
      return
    }
    var table = IdentityTable(capacity: entries.count * 3 / 2)
    for place in entries.indices where entries[place].isListed {
      if let identity = entries[place].listener.identity() {
        table.insert(place, of: identity) { entries[$0].isListed }
      }
    }
    byIdentity = table
  }
}

/// Which one an observer is, and how far it has come: 8 bytes.
private struct Standing {
  enum Phase: Int {
    /// The observer is listed and not told so yet; what was posted before is not for it.
    case added
    /// The observer was told that it was added, and hears every event.
    case active
    /// The observer was removed; it hears nothing more, not even events already posted.
    case removed
  }

  /// The serial, and the phase in the last two bits.
  private var bits: Int

  init(serial: Int) {
    bits = serial << 2
  }

  var serial: Int { bits >> 2 }
  var phase: Phase {
    get { Phase(rawValue: bits & 3) ?? .removed }
    set { bits = serial << 2 | newValue.rawValue }
  }
}
