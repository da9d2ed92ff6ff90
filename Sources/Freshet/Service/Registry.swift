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

  /// How many of the oldest places of the chains without limits are looked at each time. More than
  /// one, so that these chains become shorter faster than they can grow.
  private static let looks = 2

  /// Where the resources are, by the hashes of their keys.
  private var index = HashIndex()
  private var places = RegistryPlaces()
  /// How many places were looked at in all: what the work is measured by.
  private(set) var lookCount = 0

  init(limits: RetentionLimits) {
    self.limits = limits
  }

  /// How many resources are held and count against the limits.
  var keptCount: Int { places.kept.count }
  /// How many bytes they have.
  var keptBytes: Int { places.kept.bytes }
  /// How many places there are, free ones included: what the memory is measured by.
  var placeCount: Int { places.count }

  /// The resource of that identity, which becomes the most recently used one.
  ///
  /// - Complexity: amortised O(1).
  func resource(_ identity: Identity) -> AnyResource? {
    var found: AnyResource?
    let place = index.first(hash: identity.key.hashValue) { place in
      found = places.resource(at: place)
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
    let gone = index.first(hash: hash) { places.resource(at: $0).map(identity.isOf) ?? true }
    if let gone { vacate(gone) }
    let place = places.add(resource)
    index.insert(place, hash: hash)
    resource.place = place
    trim()
  }

  /// Counts the bytes that the content of a resource has now.
  func setBytes(_ bytes: Int, of resource: AnyResource) {
    guard let place = place(of: resource) else { return }
    places.setBytes(bytes, at: place)
    if isOverLimits { trim() }
  }

  /// Holds a resource that has become observed, which may be all that holds it.
  func becameObserved(_ resource: AnyResource) {
    guard let place = place(of: resource), places.kind(of: place) == .weak else { return }
    places.hold(resource, at: place, in: .observed)
  }

  /// All living resources.
  ///
  /// - Complexity: O(*n*) in the number of resources.
  var all: [AnyResource] { places.resources }

  private func place(of resource: AnyResource) -> Int32? {
    let place = resource.place
    return place >= 0 && place < places.count && places.resource(at: place) === resource
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
    while isOverLimits, let place = places.oldest(.kept) {
      lookCount += 1
      if places.heldResource(at: place)?.isObserved == true {
        places.move(place, to: .observed)
      } else if let resource = places.release(place) {
        released.append(resource)
      }
    }
    reviewWeak()
    withExtendedLifetime(released) {}
  }

  private func reviewObserved() {
    for _ in 0..<Self.looks {
      guard let place = places.oldest(.observed) else { return }
      lookCount += 1
      places.move(place, to: places.heldResource(at: place)?.isObserved == true ? .observed : .kept)
    }
  }

  private func reviewWeak() {
    for _ in 0..<Self.looks {
      guard let place = places.oldest(.weak) else { return }
      lookCount += 1
      if places.resource(at: place) == nil { vacate(place) } else { places.move(place, to: .weak) }
    }
  }

  private func touch(_ place: Int32, _ resource: AnyResource) {
    switch places.kind(of: place) {
    case .observed: break
    case .kept: places.move(place, to: .kept)
    case .weak:
      places.hold(resource, at: place, in: .kept)
      trim()
    }
  }

  /// Frees a place whose resource has gone.
  private func vacate(_ place: Int32) {
    index.remove(place)
    places.free(place)
  }
}
