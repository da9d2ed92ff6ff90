/// The resources of a service: one instance for each identity, while it is in use.
///
/// All are held weakly. Held strongly too are those that are observed, and of the others the most
/// recently used within the limits. Each place is in one of three chains:
///
/// - `kept`: held, and counted against the limits;
/// - `observed`: held, not counted; once observed no more, a place goes back to `kept`;
/// - `weak`: beyond the limits; it lives while the program holds it.
///
/// Nothing is ever searched or swept in bulk. An insertion moves on as many kept places as it takes to
/// be within the limits, each of which got there by an insertion of its own, and looks at a fixed
/// number of places of the other chains; so the cost stays constant however many there are.
final class Registry {
  /// How much a service keeps for resources that nobody holds.
  let limits: RetentionLimits

  /// What tells resources apart: the request, and what it is decoded to.
  struct Identity {
    let key: ResourceKey
    /// The class of the resource, which says what the content is.
    let type: ObjectIdentifier
    /// The name of the decoder.
    let decoder: String

    fileprivate func isOf(_ resource: AnyResource) -> Bool {
      ObjectIdentifier(Swift.type(of: resource)) == type && resource.key == key
        && resource.anyDecoder.name == decoder
    }
  }

  private struct Place {
    weak var resource: AnyResource?
    /// The same resource, in the chains that hold it.
    var held: AnyResource?
    var bytes = 0
    var chain = Kind.kept
    var older = Registry.none
    var newer = Registry.none
  }

  private enum Kind: Int8 {
    case kept
    case observed
    case weak
  }

  /// A list of places from the oldest to the newest, linked by index.
  private struct Chain {
    var oldest = Registry.none
    var newest = Registry.none
    var count = 0
    var bytes = 0
  }

  private static let none: Int32 = -1
  /// How many of the oldest places of the chains without limits are looked at each time. More than
  /// one, so that these chains become shorter faster than they can grow.
  private static let looks = 2

  /// Where the resources are, by the hashes of their keys.
  private var index = HashIndex()
  private var places: [Place] = []
  private var free: [Int32] = []
  private var chains = [Chain](repeating: Chain(), count: 3)
  /// How many places were looked at in all: what the work is measured by.
  private(set) var lookCount = 0

  init(limits: RetentionLimits) {
    self.limits = limits
  }

  /// How many resources are held and count against the limits.
  var keptCount: Int { chains[Int(Kind.kept.rawValue)].count }
  /// How many bytes they have.
  var keptBytes: Int { chains[Int(Kind.kept.rawValue)].bytes }
  /// How many places there are, free ones included: what the memory is measured by.
  var placeCount: Int { places.count }

  /// The resource of that identity, which becomes the most recently used one.
  ///
  /// - Complexity: amortised O(1).
  func resource(_ identity: Identity) -> AnyResource? {
    var found: AnyResource?
    let place = index.first(hash: identity.key.hashValue) { place in
      found = places[Int(place)].resource
      return found.map(identity.isOf) == true
    }
    guard let place, let found else { return nil }
    touch(place, found)
    return found
  }

  /// Makes a resource the most recently used one.
  func use(_ resource: AnyResource) {
    if let place = place(of: resource) { touch(place, resource) }
  }

  /// Takes in a new resource.
  ///
  /// - Complexity: amortised O(1).
  func insert(_ resource: AnyResource, as identity: Identity) {
    // One that has gone and was not looked at yet.
    let hash = identity.key.hashValue
    let gone = index.first(hash: hash) { places[Int($0)].resource.map(identity.isOf) ?? true }
    if let gone { vacate(gone) }
    let place = free.popLast() ?? Int32(places.count)
    if Int(place) == places.count { places.append(Place()) }
    places[Int(place)] = Place(resource: resource, held: resource)
    index.insert(place, hash: hash)
    resource.place = place
    append(place, to: .kept)
    trim()
  }

  /// Counts the bytes that the content of a resource has now.
  func setBytes(_ bytes: Int, of resource: AnyResource) {
    guard let place = place(of: resource) else { return }
    let kind = places[Int(place)].chain
    chains[Int(kind.rawValue)].bytes += bytes - places[Int(place)].bytes
    places[Int(place)].bytes = bytes
    if isOverLimits { trim() }
  }

  /// Holds a resource that has become observed, which may be all that holds it.
  func becameObserved(_ resource: AnyResource) {
    guard let place = place(of: resource), places[Int(place)].chain == .weak else { return }
    places[Int(place)].held = resource
    move(place, to: .observed)
  }

  /// All living resources.
  ///
  /// - Complexity: O(*n*) in the number of resources.
  var all: [AnyResource] { places.compactMap(\.resource) }

  private func place(of resource: AnyResource) -> Int32? {
    let place = resource.place
    return places.indices.contains(Int(place)) && places[Int(place)].resource === resource
      ? place : nil
  }

  // MARK: The limits

  private var isOverLimits: Bool {
    keptCount > limits.count || keptBytes > limits.bytes
  }

  private func trim() {
    // Released last, when every place is where it belongs: their end may set off anything, also calls
    // that come back here.
    var released: [AnyResource] = []
    reviewObserved()
    while isOverLimits, let place = oldest(.kept) {
      lookCount += 1
      if places[Int(place)].held?.isObserved == true {
        move(place, to: .observed)
      } else {
        if let resource = places[Int(place)].held.take() { released.append(resource) }
        move(place, to: .weak)
      }
    }
    reviewWeak()
    withExtendedLifetime(released) {}
  }

  private func reviewObserved() {
    for _ in 0..<Self.looks {
      guard let place = oldest(.observed) else { return }
      lookCount += 1
      move(place, to: places[Int(place)].held?.isObserved == true ? .observed : .kept)
    }
  }

  private func reviewWeak() {
    for _ in 0..<Self.looks {
      guard let place = oldest(.weak) else { return }
      lookCount += 1
      if places[Int(place)].resource == nil { vacate(place) } else { move(place, to: .weak) }
    }
  }

  private func touch(_ place: Int32, _ resource: AnyResource) {
    switch places[Int(place)].chain {
    case .observed: break
    case .kept: move(place, to: .kept)
    case .weak:
      places[Int(place)].held = resource
      move(place, to: .kept)
      trim()
    }
  }

  /// Frees a place whose resource has gone.
  private func vacate(_ place: Int32) {
    remove(place)
    index.remove(place)
    places[Int(place)] = Place()
    free.append(place)
  }

  // MARK: The links

  private func oldest(_ kind: Kind) -> Int32? {
    let place = chains[Int(kind.rawValue)].oldest
    return place == Registry.none ? nil : place
  }

  private func move(_ place: Int32, to kind: Kind) {
    remove(place)
    append(place, to: kind)
  }

  private func append(_ place: Int32, to kind: Kind) {
    let newest = chains[Int(kind.rawValue)].newest
    places[Int(place)].chain = kind
    places[Int(place)].older = newest
    places[Int(place)].newer = Registry.none
    if newest == Registry.none {
      chains[Int(kind.rawValue)].oldest = place
    } else {
      places[Int(newest)].newer = place
    }
    chains[Int(kind.rawValue)].newest = place
    chains[Int(kind.rawValue)].count += 1
    chains[Int(kind.rawValue)].bytes += places[Int(place)].bytes
  }

  private func remove(_ place: Int32) {
    let kind = Int(places[Int(place)].chain.rawValue)
    let (older, newer) = (places[Int(place)].older, places[Int(place)].newer)
    if older == Registry.none {
      chains[kind].oldest = newer
    } else {
      places[Int(older)].newer = newer
    }
    if newer == Registry.none {
      chains[kind].newest = older
    } else {
      places[Int(newer)].older = older
    }
    chains[kind].count -= 1
    chains[kind].bytes -= places[Int(place)].bytes
  }
}
