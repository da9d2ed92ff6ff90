/// The resources of a service: one instance for each identity, while it is in use.
///
/// Held are those that are observed, and of the others the most recently used within the limits; the
/// rest is referred to weakly. Each place is in one of three chains:
///
/// - `kept`: held, and counted against the limits;
/// - `observed`: held, not counted; once observed no more, a place goes back to `kept`;
/// - `weak`: beyond the limits; it lives while the program holds it.
///
/// Nothing is ever searched or swept in bulk. An insertion moves on as many kept places as it takes to
/// be within the limits, and all observed ones that it finds observed no more before it has come to a
/// fixed number of others; each of these got there by an insertion or an observation of its own. So the
/// cost stays constant however many there are.
final class Registry {
  /// How much a service keeps for resources that nobody holds.
  let limits: RetentionLimits

  /// How many of the oldest places of the chains without limits are looked at each time. More than
  /// one, so that these chains become shorter faster than they can grow.
  private static let looks = 2

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

  /// The resource of that request which such a decoder reads: it becomes the most recently used one.
  /// Where there is none, a new one is added.
  ///
  /// - Complexity: amortized O(1).
  func resource(
    _ key: ResourceKey, _ decoder: AnyDecoder, orInsert make: (ResourceKey) -> AnyResource
  ) -> AnyResource {
    let hash = key.tableHash
    return known(hash) { $0.key == key && $0.anyDecoder.reads(like: decoder) }
      ?? insert(make(key), hash)
  }

  /// The same for a GET that is just this URL, which is made a string only for a new resource.
  func resource(
    gettingPlainly url: UnsafeRawBufferPointer, _ decoder: AnyDecoder,
    orInsert make: (ResourceKey) -> AnyResource
  ) -> AnyResource {
    let hash = ResourceKey.tableHash(ofPlain: url)
    return known(hash) { $0.key.isPlain(url) && $0.anyDecoder.reads(like: decoder) }
      ?? insert(make(ResourceKey(gettingPlainly: String(decoding: url, as: UTF8.self))), hash)
  }

  private func known(_ hash: Int, where isSought: (AnyResource) -> Bool) -> AnyResource? {
    var others: [AnyResource]?
    guard let (known, kind) = places.use(hash: hash, passing: &others, where: isSought) else {
      return nil
    }
    if kind == .weak { keep(known) }
    return known
  }

  private func insert(_ made: AnyResource, _ hash: Int) -> AnyResource {
    var others: [AnyResource]?
    places.add(made, hash: hash, passing: &others)
    trim()
    return made
  }

  /// Makes a resource the most recently used one.
  func use(_ resource: AnyResource) {
    guard let place = place(of: resource) else { return }
    switch places.kind(of: place) {
    case .observed: break
    case .kept: places.renew(place)
    case .weak: keep(resource)
    }
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
    places.move(place, of: resource, to: .observed)
  }

  /// Counts a resource against the limits whose last observer has left.
  func becameUnobserved(_ resource: AnyResource) {
    guard let place = place(of: resource), places.kind(of: place) == .observed,
      !resource.isObserved
    else { return }
    places.move(place, of: resource, to: .kept)
    if isOverLimits { trim() }
  }

  /// All living resources.
  ///
  /// - Complexity: O(*n*) in the number of resources.
  var all: [AnyResource] { places.resources }

  /// Where a resource is; nil for one that was never added.
  private func place(of resource: AnyResource) -> Int32? {
    resource.place >= 0 ? resource.place : nil
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
    while isOverLimits, let place = places.oldest(.kept),
      let resource = places.resource(at: place)
    {
      lookCount += 1
      if resource.isObserved {
        places.move(place, of: resource, to: .observed)
      } else {
        places.move(place, of: resource, to: .weak)
        released.append(resource)
      }
    }
    reviewWeak()
    withExtendedLifetime(released) {}
  }

  private func reviewObserved() {
    var looks = Self.looks
    while looks > 0, let place = places.oldest(.observed),
      let resource = places.resource(at: place)
    {
      lookCount += 1
      if resource.isObserved {
        places.renew(place)
        looks -= 1
      } else {
        places.move(place, of: resource, to: .kept)
      }
    }
  }

  private func reviewWeak() {
    for _ in 0..<Self.looks {
      guard let place = places.oldest(.weak) else { return }
      lookCount += 1
      let resource = places.resource(at: place)
      if resource == nil { places.free(place) } else { places.renew(place) }
      // Not before, because its end may come back here, and use the place again.
      withExtendedLifetime(resource) {}
    }
  }

  /// Holds a resource again that was beyond the limits.
  private func keep(_ resource: AnyResource) {
    places.move(resource.place, of: resource, to: .kept)
    trim()
  }
}
