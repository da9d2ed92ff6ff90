/// The entries of a registry, each in one of its two rings, and where to find them: a value, so that a
/// change of several links is one access to it. Beside a use, which a resource notes
/// itself, they alone set what a resource stores of its entry.
struct RegistryEntries {
  /// The right to set the position and the retention of a resource, which only this file grants.
  struct Access {
    fileprivate init() {}
  }

  /// The entry of one resource: 24 bytes.
  fileprivate struct Entry {
    var occupant = Occupant.none
    var bytes = 0
    var previous = RegistryEntries.none
    /// The next entry of the ring, or of those that are free.
    var next = RegistryEntries.none
  }

  fileprivate enum Occupant {
    case none
    case kept(AnyResource)
    case observed(AnyResource)
    case released(WeakResource)
  }

  /// A box, because few resources are beyond the limits; and only those, because every retain and
  /// release of an object takes longer once there has been a weak reference to it: 8 % of a lookup. (Loads and what
  /// follows a resource refer to it weakly too: a resource that is only made, written and read has no
  /// weak reference.)
  fileprivate final class WeakResource {
    private(set) weak var resource: AnyResource?

    init(_ resource: AnyResource) {
      self.resource = resource
    }
  }

  /// How a resource is held; see ``Registry``.
  enum Kind {
    case kept
    case observed
    case released
  }

  /// How a resource is held that is not released.
  enum HeldKind {
    case kept
    case observed
  }

  /// Entries linked by index into a circle, with the hand at the one that is looked at next. What is added
  /// comes after the hand, so that it is looked at after all others.
  struct Ring {
    fileprivate(set) var hand: Int32?
    fileprivate(set) var count = 0
    fileprivate(set) var bytes = 0
  }

  private static let none: Int32 = -1

  /// The positions of the resources, by the hashes of their keys.
  private var index = HashIndex()
  private var entries: [Entry] = []
  private var firstFree = RegistryEntries.none
  /// The resources that count against the limits.
  private(set) var kept = Ring()
  /// The resources that do not: observed and released ones.
  private(set) var exempt = Ring()

  /// How many entries there are, free ones included: what the memory is measured by.
  var count: Int { entries.count }

  /// All living resources.
  var resources: [AnyResource] { entries.indices.compactMap { resource(at: Int32($0)) } }

  /// The resource of an entry, if it lives.
  func resource(at position: Int32) -> AnyResource? {
    switch entries[Int(position)].occupant {
    case .none: nil
    case .kept(let resource), .observed(let resource): resource
    case .released(let box): box.resource
    }
  }

  /// How the resource of an entry is held.
  func kind(of position: Int32) -> Kind { entries[Int(position)].kind }

  /// The resource with that hash that satisfies the predicate. Mutating, because a caller that only reads
  /// makes a copy first, with a retain of each array: saves 14 % of a lookup.
  ///
  /// - Parameter others: gets other resources with that hash, to be released by the caller: each may
  ///   have become the last reference meanwhile, and deallocating a resource may re-enter this method.
  /// - Complexity: O(1) on average.
  mutating func resource(
    hash: Int, passing others: inout [AnyResource]?, where isSought: (AnyResource) -> Bool
  ) -> AnyResource? {
    var found: AnyResource?
    _ = index.first(hash: hash) { position in
      guard let resource = resource(at: position) else { return false }
      if isSought(resource) { found = resource } else { others = (others ?? []) + [resource] }
      return found != nil
    }
    return found
  }

  /// Gives a resource an entry among those that are kept.
  mutating func add(_ resource: AnyResource, hash: Int) {
    let position: Int32
    if firstFree == Self.none {
      position = Int32(entries.count)
      entries.append(Entry())
    } else {
      position = firstFree
      firstFree = entries[Int(position)].next
    }
    index.insert(position, hash: hash)
    resource.setPosition(position, Access())
    link(position, .kept(resource))
  }

  /// Holds a resource in another way. One that was released counts as used from then on.
  mutating func move(_ position: Int32, of resource: AnyResource, to kind: HeldKind) {
    if self.kind(of: position) == .released { resource.setRetention(.used, Access()) }
    unlink(position)
    switch kind {
    case .kept: link(position, .kept(resource))
    case .observed: link(position, .observed(resource))
    }
  }

  /// Releases a resource: if only the caller holds it by now, its entry is free.
  ///
  /// - Returns: whether something else holds it.
  mutating func release(_ resource: inout AnyResource) -> Bool {
    let position = resource.position
    resource.setRetention(.released, Access())
    unlink(position)
    entries[Int(position)].occupant = .none
    guard !isKnownUniquelyReferenced(&resource) else {
      recycle(position)
      return false
    }
    link(position, .released(WeakResource(resource)))
    return true
  }

  /// Frees an entry whose resource was deallocated.
  mutating func free(_ position: Int32) {
    unlink(position)
    recycle(position)
  }

  /// Moves the hand past an exempt entry, unless what the look at it has deallocated has moved one of them.
  mutating func pass(_ position: Int32) {
    if exempt.hand == position { exempt.hand = entries[Int(position)].next }
  }

  /// Moves the hand past a kept resource that was used, which is released if it is not used again until the hand
  /// comes back. It is not moved either if it is elsewhere by now.
  mutating func giveSecondChance(to resource: AnyResource) {
    guard kept.hand == resource.position else { return }
    resource.setRetention(.unused, Access())
    kept.hand = entries[Int(resource.position)].next
  }

  /// Forgets that a resource was used, unless it is released by now.
  static func clearUse(of resource: AnyResource) {
    if resource.retention == .used { resource.setRetention(.unused, Access()) }
  }

  /// Counts the bytes of a resource.
  mutating func setBytes(_ bytes: Int, at position: Int32) {
    let change = bytes - entries[Int(position)].bytes
    entries[Int(position)].bytes = bytes
    if kind(of: position) == .kept { kept.bytes += change } else { exempt.bytes += change }
  }

  private mutating func link(_ position: Int32, _ occupant: Occupant) {
    entries[Int(position)].occupant = occupant
    if kind(of: position) == .kept {
      kept.append(position, in: &entries)
    } else {
      exempt.append(position, in: &entries)
    }
  }

  private mutating func unlink(_ position: Int32) {
    if kind(of: position) == .kept {
      kept.remove(position, in: &entries)
    } else {
      exempt.remove(position, in: &entries)
    }
  }

  private mutating func recycle(_ position: Int32) {
    index.remove(position)
    entries[Int(position)] = Entry(next: firstFree)
    firstFree = position
  }
}

extension RegistryEntries.Entry {
  fileprivate var kind: RegistryEntries.Kind {
    switch occupant {
    case .kept: .kept
    case .observed: .observed
    case .none, .released: .released
    }
  }
}

extension RegistryEntries.Ring {
  fileprivate mutating func append(_ position: Int32, in entries: inout [RegistryEntries.Entry]) {
    let next = hand ?? position
    let previous = hand == nil ? position : entries[Int(next)].previous
    entries[Int(position)].next = next
    entries[Int(position)].previous = previous
    entries[Int(previous)].next = position
    entries[Int(next)].previous = position
    hand = next
    count += 1
    bytes += entries[Int(position)].bytes
  }

  fileprivate mutating func remove(_ position: Int32, in entries: inout [RegistryEntries.Entry]) {
    let (previous, next) = (entries[Int(position)].previous, entries[Int(position)].next)
    entries[Int(previous)].next = next
    entries[Int(next)].previous = previous
    if hand == position { hand = next == position ? nil : next }
    count -= 1
    bytes -= entries[Int(position)].bytes
  }
}

// MARK: - Invariants

extension RegistryEntries {
  /// Stops the program if an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    let free = sequence(first: firstFree) { entries[Int($0)].next }.prefix { $0 != Self.none }
    precondition(
      free.allSatisfy { if case .none = entries[Int($0)].occupant { true } else { false } })
    precondition(Array(free).count + kept.count + exempt.count == count)
    index.checkInvariants()
    for (ring, isKept) in [(kept, true), (exempt, false)] {
      let linked =
        ring.hand.map { hand in
          [hand]
            + sequence(first: entries[Int(hand)].next) { entries[Int($0)].next }
            .prefix { $0 != hand }
        } ?? []
      precondition(linked.count == ring.count)
      precondition(linked.reduce(0) { $0 + entries[Int($1)].bytes } == ring.bytes)
      for position in linked {
        precondition((kind(of: position) == .kept) == isKept)
        precondition(entries[Int(entries[Int(position)].next)].previous == position)
        guard let resource = resource(at: position) else { continue }
        precondition(resource.position == position)
        precondition((resource.retention == .released) == (kind(of: position) == .released))
      }
    }
  }
}
