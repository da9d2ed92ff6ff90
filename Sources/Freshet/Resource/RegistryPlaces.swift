/// The places of a registry, each in one of its two rings, and where to find them: a value, so that a
/// change of several links is one access to it.
struct RegistryPlaces {
  /// Where one resource is kept: 24 bytes.
  fileprivate struct Place {
    var occupant = Occupant.none
    var bytes = 0
    var previous = RegistryPlaces.none
    /// The next place of the ring, or of those that are free.
    var next = RegistryPlaces.none
  }

  fileprivate enum Occupant {
    case none
    case kept(AnyResource)
    case observed(AnyResource)
    case released(WeakResource)
  }

  /// A box, because few resources are beyond the limits; and only those, because every retain and
  /// release of an object takes longer once there has been a weak reference to it. (Loads and what
  /// follows a resource refer to it weakly too: what is spared this is the resource that is only made,
  /// written and read.)
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

  /// Places linked by index into a circle, with the hand at the one that is looked at next. What is added
  /// comes after the hand, so that it is looked at after all others.
  struct Ring {
    fileprivate(set) var hand: Int32?
    fileprivate(set) var count = 0
    fileprivate(set) var bytes = 0
  }

  private static let none: Int32 = -1

  /// Where the resources are, by the hashes of their keys.
  private var index = HashIndex()
  private var places: [Place] = []
  private var firstFree = RegistryPlaces.none
  /// What counts against the limits.
  private(set) var kept = Ring()
  /// What does not: observed and released resources.
  private(set) var exempt = Ring()

  /// How many places there are, free ones included: what the memory is measured by.
  var count: Int { places.count }

  /// All living resources.
  var resources: [AnyResource] { places.indices.compactMap { resource(at: Int32($0)) } }

  /// The resource of a place, if it lives.
  func resource(at place: Int32) -> AnyResource? {
    switch places[Int(place)].occupant {
    case .none: nil
    case .kept(let resource), .observed(let resource): resource
    case .released(let box): box.resource
    }
  }

  /// How the resource of a place is held.
  func kind(of place: Int32) -> Kind { places[Int(place)].kind }

  /// The resource with that hash that satisfies the predicate. Mutating, because a caller that only reads
  /// makes a copy first, with a retain of each array.
  ///
  /// - Parameter others: gets other resources with that hash, to be released by the caller: each may
  ///   have become the last reference meanwhile, and the end of a resource may come back here.
  /// - Complexity: O(1) on average.
  mutating func resource(
    hash: Int, passing others: inout [AnyResource]?, where isSought: (AnyResource) -> Bool
  ) -> AnyResource? {
    var found: AnyResource?
    _ = index.first(hash: hash) { place in
      guard let resource = resource(at: place) else { return false }
      if isSought(resource) { found = resource } else { others = (others ?? []) + [resource] }
      return found != nil
    }
    return found
  }

  /// Gives a resource a place among those that are kept.
  mutating func add(_ resource: AnyResource, hash: Int) {
    let place: Int32
    if firstFree == Self.none {
      place = Int32(places.count)
      places.append(Place())
    } else {
      place = firstFree
      firstFree = places[Int(place)].next
    }
    index.insert(place, hash: hash)
    resource.place = place
    link(place, .kept(resource))
  }

  /// Holds a resource in another way.
  mutating func move(_ place: Int32, of resource: AnyResource, to kind: Kind) {
    let occupant: Occupant =
      switch kind {
      case .kept: .kept(resource)
      case .observed: .observed(resource)
      case .released: .released(WeakResource(resource))
      }
    unlink(place)
    link(place, occupant)
  }

  /// Releases a resource: if only the caller holds it by now, its place is free.
  mutating func release(_ resource: inout AnyResource) {
    let place = resource.place
    unlink(place)
    places[Int(place)].occupant = .none
    if isKnownUniquelyReferenced(&resource) {
      recycle(place)
    } else {
      link(place, .released(WeakResource(resource)))
    }
  }

  /// Frees a place whose resource was deallocated.
  mutating func free(_ place: Int32) {
    unlink(place)
    recycle(place)
  }

  /// Moves the hand of its ring past a place.
  mutating func pass(_ place: Int32) {
    let next = places[Int(place)].next
    if kind(of: place) == .kept { kept.hand = next } else { exempt.hand = next }
  }

  /// Counts the bytes of a resource.
  mutating func setBytes(_ bytes: Int, at place: Int32) {
    let change = bytes - places[Int(place)].bytes
    places[Int(place)].bytes = bytes
    if kind(of: place) == .kept { kept.bytes += change } else { exempt.bytes += change }
  }

  private mutating func link(_ place: Int32, _ occupant: Occupant) {
    places[Int(place)].occupant = occupant
    if kind(of: place) == .kept {
      kept.append(place, in: &places)
    } else {
      exempt.append(place, in: &places)
    }
  }

  private mutating func unlink(_ place: Int32) {
    if kind(of: place) == .kept {
      kept.remove(place, in: &places)
    } else {
      exempt.remove(place, in: &places)
    }
  }

  private mutating func recycle(_ place: Int32) {
    index.remove(place)
    places[Int(place)] = Place(next: firstFree)
    firstFree = place
  }
}

extension RegistryPlaces.Place {
  fileprivate var kind: RegistryPlaces.Kind {
    switch occupant {
    case .kept: .kept
    case .observed: .observed
    case .none, .released: .released
    }
  }
}

extension RegistryPlaces.Ring {
  fileprivate mutating func append(_ place: Int32, in places: inout [RegistryPlaces.Place]) {
    let next = hand ?? place
    let previous = hand == nil ? place : places[Int(next)].previous
    places[Int(place)].next = next
    places[Int(place)].previous = previous
    places[Int(previous)].next = place
    places[Int(next)].previous = place
    hand = next
    count += 1
    bytes += places[Int(place)].bytes
  }

  fileprivate mutating func remove(_ place: Int32, in places: inout [RegistryPlaces.Place]) {
    let (previous, next) = (places[Int(place)].previous, places[Int(place)].next)
    places[Int(previous)].next = next
    places[Int(next)].previous = previous
    if hand == place { hand = next == place ? nil : next }
    count -= 1
    bytes -= places[Int(place)].bytes
  }
}

// MARK: - Invariants

extension RegistryPlaces {
  /// Stops the program where an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    let free = sequence(first: firstFree) { places[Int($0)].next }.prefix { $0 != Self.none }
    precondition(
      free.allSatisfy { if case .none = places[Int($0)].occupant { true } else { false } })
    precondition(Array(free).count + kept.count + exempt.count == count)
    for (ring, isKept) in [(kept, true), (exempt, false)] {
      let linked =
        ring.hand.map { hand in
          [hand]
            + sequence(first: places[Int(hand)].next) { places[Int($0)].next }
            .prefix { $0 != hand }
        } ?? []
      precondition(linked.count == ring.count)
      precondition(linked.reduce(0) { $0 + places[Int($1)].bytes } == ring.bytes)
      for place in linked {
        precondition((kind(of: place) == .kept) == isKept)
        precondition(places[Int(places[Int(place)].next)].previous == place)
        guard let resource = resource(at: place) else { continue }
        precondition(resource.place == place)
        precondition((resource.retention == .released) == (kind(of: place) == .released))
      }
    }
  }
}
