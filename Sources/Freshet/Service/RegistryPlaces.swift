/// The places of a registry, each in one of its three chains: a value, so that a change of several
/// links is one access to it.
struct RegistryPlaces {
  /// Where one resource is kept.
  private struct Place {
    weak var resource: AnyResource?
    /// The same resource, in the chains that hold it.
    var held: AnyResource?
    var bytes = 0
    var chain = Kind.kept
    var older = RegistryPlaces.none
    var newer = RegistryPlaces.none
  }

  /// What a chain is of; see ``Registry``.
  enum Kind: Int8 {
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

  private var places: [Place] = []
  private var unused: [Int32] = []
  private(set) var kept = Chain()
  private var observed = Chain()
  private var weakly = Chain()

  /// How many places there are, free ones included.
  var count: Int { places.count }

  /// All living resources.
  var resources: [AnyResource] { places.compactMap(\.resource) }

  /// The resource of a place, if it lives.
  func resource(at place: Int32) -> AnyResource? { places[Int(place)].resource }

  /// The resource of a place, in the chains that hold it.
  func heldResource(at place: Int32) -> AnyResource? { places[Int(place)].held }

  /// The chain that a place is in.
  func kind(of place: Int32) -> Kind { places[Int(place)].chain }

  /// The place that has been in its chain for longest.
  func oldest(_ kind: Kind) -> Int32? {
    let place =
      switch kind {
      case .kept: kept.oldest
      case .observed: observed.oldest
      case .weak: weakly.oldest
      }
    return place == Self.none ? nil : place
  }

  /// Gives a resource a place, the newest of those that are kept.
  mutating func add(_ resource: AnyResource) -> Int32 {
    let place = unused.popLast() ?? Int32(places.count)
    let content = Place(resource: resource, held: resource)
    if Int(place) == places.count { places.append(content) } else { places[Int(place)] = content }
    append(place, to: .kept)
    return place
  }

  /// Frees a place.
  mutating func free(_ place: Int32) {
    remove(place)
    places[Int(place)] = Place()
    unused.append(place)
  }

  /// Holds a resource that was not held, and makes its place the newest of a chain.
  mutating func hold(_ resource: AnyResource, at place: Int32, in kind: Kind) {
    places[Int(place)].held = resource
    move(place, to: kind)
  }

  /// Holds a resource no longer, and returns it to be released by the caller.
  mutating func release(_ place: Int32) -> AnyResource? {
    move(place, to: .weak)
    return places[Int(place)].held.take()
  }

  /// Makes a place the newest of a chain.
  mutating func move(_ place: Int32, to kind: Kind) {
    remove(place)
    append(place, to: kind)
  }

  /// Counts the bytes of a resource.
  mutating func setBytes(_ bytes: Int, at place: Int32) {
    let change = bytes - places[Int(place)].bytes
    places[Int(place)].bytes = bytes
    withChain(places[Int(place)].chain) { chain, _ in chain.bytes += change }
  }

  private mutating func append(_ place: Int32, to kind: Kind) {
    places[Int(place)].chain = kind
    withChain(kind) { chain, places in
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
    }
  }

  private mutating func remove(_ place: Int32) {
    withChain(places[Int(place)].chain) { chain, places in
      let (older, newer) = (places[Int(place)].older, places[Int(place)].newer)
      if older == Self.none { chain.oldest = newer } else { places[Int(older)].newer = newer }
      if newer == Self.none { chain.newest = older } else { places[Int(newer)].older = older }
      chain.count -= 1
      chain.bytes -= places[Int(place)].bytes
    }
  }

  private mutating func withChain(
    _ kind: Kind, _ change: (inout Chain, inout [Place]) -> Void
  ) {
    switch kind {
    case .kept: change(&kept, &places)
    case .observed: change(&observed, &places)
    case .weak: change(&weakly, &places)
    }
  }
}
