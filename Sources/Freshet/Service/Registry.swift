/// The resources of a service: one instance for each identity, while it is in use.
///
/// All are held weakly, and the least recently used beyond the limits only so; the others are held
/// strongly too. Nothing is ever searched or swept in bulk: each insertion looks at a fixed number of
/// the oldest places, so the cost stays constant however many resources there are.
final class Registry {
  /// How much a service keeps for resources that nobody holds.
  let limits: RetentionLimits

  /// What tells resources apart: the request, and what it is decoded to.
  struct Identity: Hashable {
    let key: ResourceKey
    let content: ObjectIdentifier
    let decoder: String
  }

  private struct Place {
    weak var resource: AnyResource?
    /// The same resource while it is within the limits.
    var kept: AnyResource?
    var identity: Identity?
    var bytes = 0
    var older = Registry.none
    var newer = Registry.none
  }

  /// A list of places from the oldest to the newest, linked by index.
  private struct Chain {
    var oldest = Registry.none
    var newest = Registry.none
    var count = 0
  }

  private static let none: Int32 = -1
  /// How many of the oldest places an insertion looks at. More than one, so that the count comes down
  /// when many places have become free to go at once.
  private static let looks = 2

  private var index: [Identity: Int32] = [:]
  private var places: [Place] = []
  private var free: [Int32] = []
  private var kept = Chain()
  private var weak = Chain()
  private var keptBytes = 0

  init(limits: RetentionLimits) {
    self.limits = limits
  }

  /// How many resources are held strongly.
  var keptCount: Int { kept.count }

  /// The resource of that identity, which becomes the most recently used one.
  ///
  /// - Complexity: O(1).
  func resource(_ identity: Identity) -> AnyResource? {
    guard let place = index[identity], let resource = places[Int(place)].resource else {
      return nil
    }
    touch(place, resource)
    return resource
  }

  /// Takes in a new resource.
  ///
  /// - Complexity: amortised O(1).
  func insert(_ resource: AnyResource, as identity: Identity) {
    if let place = index[identity] { release(place) }
    let place = free.popLast() ?? Int32(places.count)
    if Int(place) == places.count { places.append(Place()) }
    places[Int(place)] = Place(resource: resource, kept: resource, identity: identity)
    index[identity] = place
    resource.place = place
    append(place, to: &kept)
    trim()
  }

  /// Counts the bytes that the content of a resource has now.
  func setBytes(_ bytes: Int, of resource: AnyResource) {
    let place = Int(resource.place)
    guard places.indices.contains(place), places[place].resource === resource else { return }
    if places[place].kept != nil { keptBytes += bytes - places[place].bytes }
    places[place].bytes = bytes
    trim()
  }

  /// All living resources.
  ///
  /// - Complexity: O(*n*) in the number of resources.
  var all: [AnyResource] { places.compactMap(\.resource) }

  // MARK: The limits

  private var isOverLimits: Bool {
    kept.count > limits.count || keptBytes > limits.bytes
  }

  /// Brings what is kept within the limits, as far as a few looks go.
  private func trim() {
    for _ in 0..<Self.looks where isOverLimits && kept.count > 1 {
      let place = kept.oldest
      remove(place, from: &kept)
      if let resource = places[Int(place)].kept, resource.isObserved {
        // Observed resources stay, and are looked at again when their turn comes.
        append(place, to: &kept)
      } else {
        demote(place)
      }
    }
    for _ in 0..<Self.looks where weak.count > 0 {
      let place = weak.oldest
      remove(place, from: &weak)
      if places[Int(place)].resource == nil {
        vacate(place)
      } else {
        append(place, to: &weak)
      }
    }
  }

  private func demote(_ place: Int32) {
    keptBytes -= places[Int(place)].bytes
    // Taken out first: what its end sets off may come back here.
    do { _ = places[Int(place)].kept.take() }
    if places[Int(place)].resource == nil {
      vacate(place)
    } else {
      append(place, to: &weak)
    }
  }

  private func touch(_ place: Int32, _ resource: AnyResource) {
    if places[Int(place)].kept != nil {
      guard kept.newest != place else { return }
      remove(place, from: &kept)
      append(place, to: &kept)
    } else {
      remove(place, from: &weak)
      places[Int(place)].kept = resource
      keptBytes += places[Int(place)].bytes
      append(place, to: &kept)
      trim()
    }
  }

  private func release(_ place: Int32) {
    if places[Int(place)].kept != nil {
      remove(place, from: &kept)
      keptBytes -= places[Int(place)].bytes
    } else {
      remove(place, from: &weak)
    }
    vacate(place)
  }

  private func vacate(_ place: Int32) {
    if let identity = places[Int(place)].identity { index[identity] = nil }
    places[Int(place)] = Place()
    free.append(place)
  }

  // MARK: The links

  private func append(_ place: Int32, to chain: inout Chain) {
    places[Int(place)].older = chain.newest
    places[Int(place)].newer = Registry.none
    if chain.newest == Registry.none {
      chain.oldest = place
    } else {
      places[Int(chain.newest)].newer = place
    }
    chain.newest = place
    chain.count += 1
  }

  private func remove(_ place: Int32, from chain: inout Chain) {
    let (older, newer) = (places[Int(place)].older, places[Int(place)].newer)
    if older == Registry.none { chain.oldest = newer } else { places[Int(older)].newer = newer }
    if newer == Registry.none { chain.newest = older } else { places[Int(newer)].older = older }
    chain.count -= 1
  }
}

/// How much a service keeps for resources that nobody holds or observes.
///
/// Beyond either limit the least recently used go first. Observed resources, and those that the
/// program holds, stay in any case.
public struct RetentionLimits: Sendable, Hashable {
  /// The most resources: 2,048.
  public var count: Int
  /// The most bytes of content, as its answers' bodies counted: 64 MiB.
  public var bytes: Int

  /// Makes limits.
  public init(count: Int = 2_048, bytes: Int = 64 << 20) {
    self.count = count
    self.bytes = bytes
  }
}
