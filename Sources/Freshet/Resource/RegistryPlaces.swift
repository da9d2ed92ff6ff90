/// The places of a registry, each in one of its three chains, and where to find them: a value, so that
/// a change of several links is one access to it.
struct RegistryPlaces {
  /// Where one resource is kept: 24 bytes.
  private struct Place {
    var occupant = Occupant.none
    var bytes = 0
    var older = RegistryPlaces.none
    var newer = RegistryPlaces.none
  }

  /// What a place holds, by the chain that it is in.
  fileprivate enum Occupant {
    case none
    case kept(AnyResource)
    case observed(AnyResource)
    case weak(WeakResource)
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

  /// What a chain is of; see ``Registry``.
  enum Kind {
    case kept
    case observed
    case weak
  }

  /// A list of places from the oldest to the newest, linked by index.
  struct Chain {
    fileprivate var oldest = RegistryPlaces.none
    fileprivate var newest = RegistryPlaces.none
    fileprivate(set) var count = 0
    fileprivate(set) var bytes = 0
  }

  private static let none: Int32 = -1

  /// Where the resources are, by the hashes of their keys.
  private var index = HashIndex()
  private var places: [Place] = []
  private var unused: [Int32] = []
  private(set) var kept = Chain()
  private var observed = Chain()
  private var weakly = Chain()

  /// How many places there are, free ones included.
  var count: Int { places.count }

  /// All living resources.
  var resources: [AnyResource] { places.indices.compactMap { resource(at: Int32($0)) } }

  /// The resource of a place, if it lives.
  func resource(at place: Int32) -> AnyResource? {
    switch places[Int(place)].occupant {
    case .none: nil
    case .kept(let resource), .observed(let resource): resource
    case .weak(let box): box.resource
    }
  }

  /// The chain that a place is in.
  func kind(of place: Int32) -> Kind { places[Int(place)].occupant.kind }

  /// The place that has been in its chain for longest.
  func oldest(_ kind: Kind) -> Int32? {
    let place = self[kind].oldest
    return place == Self.none ? nil : place
  }

  /// The resource with that hash that satisfies the predicate. If it is kept, it becomes the newest of
  /// its chain.
  ///
  /// - Parameter others: gets other resources with that hash, to be released by the caller: each may
  ///   have become the last reference meanwhile, and the end of a resource may come back here.
  /// - Complexity: O(1) on average.
  mutating func use(
    hash: Int, passing others: inout [AnyResource]?, where isSought: (AnyResource) -> Bool
  ) -> (resource: AnyResource, kind: Kind)? {
    var found: AnyResource?
    let place = index.first(hash: hash) { place in
      guard let resource = resource(at: place) else { return false }
      found = isSought(resource) ? resource : nil
      if found == nil { others = (others ?? []) + [resource] }
      return found != nil
    }
    guard let place, let found else { return nil }
    let kind = kind(of: place)
    if kind == .kept { renew(place) }
    return (found, kind)
  }

  /// Gives a resource a place, the newest of those that are kept.
  ///
  /// - Parameter others: as for ``use(hash:passing:where:)``.
  mutating func add(_ resource: AnyResource, hash: Int, passing others: inout [AnyResource]?) {
    if weakly.count > 0 { freeGone(hash: hash, passing: &others) }
    let place: Int32
    if let free = unused.popLast() {
      place = free
    } else {
      place = Int32(places.count)
      places.append(Place())
    }
    index.insert(place, hash: hash)
    resource.place = place
    places[Int(place)].occupant = .kept(resource)
    append(place, to: .kept)
  }

  /// Frees the place of a resource with that hash that was deallocated and not looked at yet.
  private mutating func freeGone(hash: Int, passing others: inout [AnyResource]?) {
    let gone = index.first(hash: hash) { place in
      guard let other = resource(at: place) else { return true }
      others = (others ?? []) + [other]
      return false
    }
    if let gone { free(gone) }
  }

  /// Frees a place whose resource was deallocated.
  mutating func free(_ place: Int32) {
    index.remove(place)
    remove(place)
    places[Int(place)] = Place()
    unused.append(place)
  }

  /// Makes a place the newest of a chain.
  ///
  /// - Parameter resource: what is there; beyond the limits it is held by the caller alone.
  mutating func move(_ place: Int32, of resource: AnyResource, to kind: Kind) {
    remove(place)
    places[Int(place)].occupant =
      switch kind {
      case .kept: .kept(resource)
      case .observed: .observed(resource)
      case .weak: .weak(WeakResource(resource))
      }
    append(place, to: kind)
  }

  /// Makes a place the newest of the chain that it is in.
  mutating func renew(_ place: Int32) {
    guard places[Int(place)].newer != Self.none else { return }
    let kind = kind(of: place)
    remove(place)
    append(place, to: kind)
  }

  /// Counts the bytes of a resource.
  mutating func setBytes(_ bytes: Int, at place: Int32) {
    self[kind(of: place)].bytes += bytes - places[Int(place)].bytes
    places[Int(place)].bytes = bytes
  }

  private mutating func append(_ place: Int32, to kind: Kind) {
    var chain = self[kind]
    places[Int(place)].older = chain.newest
    places[Int(place)].newer = Self.none
    if chain.newest == Self.none {
      chain.oldest = place
    } else {
      places[Int(chain.newest)].newer = place
    }
    chain.newest = place
    chain.count += 1
    chain.bytes += places[Int(place)].bytes
    self[kind] = chain
  }

  private mutating func remove(_ place: Int32) {
    let kind = kind(of: place)
    var chain = self[kind]
    let (older, newer) = (places[Int(place)].older, places[Int(place)].newer)
    if older == Self.none { chain.oldest = newer } else { places[Int(older)].newer = newer }
    if newer == Self.none { chain.newest = older } else { places[Int(newer)].older = older }
    chain.count -= 1
    chain.bytes -= places[Int(place)].bytes
    self[kind] = chain
  }

  private subscript(kind: Kind) -> Chain {
    get {
      switch kind {
      case .kept: kept
      case .observed: observed
      case .weak: weakly
      }
    }
    set {
      switch kind {
      case .kept: kept = newValue
      case .observed: observed = newValue
      case .weak: weakly = newValue
      }
    }
  }
}

extension RegistryPlaces.Occupant {
  fileprivate var kind: RegistryPlaces.Kind {
    switch self {
    case .none, .weak: .weak
    case .kept: .kept
    case .observed: .observed
    }
  }
}
