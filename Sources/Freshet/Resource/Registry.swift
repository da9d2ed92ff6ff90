/// The resources of a service: one instance for each identity, while it is in use.
///
/// Held are those that are observed, and of the others the recently used within the limits; the rest is
/// referred to weakly. Each entry is one of three kinds, in one of two rings with a hand each:
///
/// - `kept`: held, and counted against the limits;
/// - `observed`: held, not counted; once observed no more, an entry goes back to `kept`;
/// - `released`: beyond the limits; it lives while the program holds it.
///
/// Which of the kept are released is decided by second chance (the CLOCK algorithm): the hand passes
/// a resource that was used since it came by last, and releases one that was not. So a use is noted
/// by one store (moving an entry in a list took 570 instructions of a visit), and an insertion looks at as
/// many kept entries as it takes to be within the limits.
/// The other entries are exempt from the limits. Whenever the limits are enforced, entries whose resource was
/// deallocated are freed, and those that are no longer observed are moved to `kept`, until a fixed number of entries
/// that stay was found. Nothing is ever searched or swept in bulk: each look is paid for by an insertion, a change of
/// content, the end of an observation or a use of its own, so the cost stays constant however many there are.
final class Registry {
  /// The limits for resources that are neither held nor observed.
  let limits: Service.RetentionLimits

  /// How many exempt entries one scan may find still in use before it ends; above 1, so that stale entries
  /// are removed faster than they are added.
  private static let looks = 2

  private(set) var entries = RegistryEntries()
  private let isObserved: (AnyResource) -> Bool

  /// Creates a registry.
  ///
  /// - Parameter isObserved: asked about each resource that is looked at.
  init(
    limits: Service.RetentionLimits, isObserved: @escaping (AnyResource) -> Bool = { $0.isObserved }
  ) {
    self.limits = limits
    self.isObserved = isObserved
  }

  /// The resource of that request which such a decoder reads, which counts as a use of it. If there is
  /// none, a new one is added.
  ///
  /// - Complexity: amortized O(1).
  func resource(
    _ key: ResourceKey, _ decoder: AnyDecoder, orInsert make: (ResourceKey) -> AnyResource
  ) -> AnyResource {
    resource(key.tableHash) {
      $0.key == key && $0.anyDecoder.reads(like: decoder)
    } orInsert: {
      make(key)
    }
  }

  /// The same for a GET that is just this URL, which is made a string only for a new resource.
  func resource(
    gettingPlainly url: UnsafeRawBufferPointer, _ decoder: AnyDecoder,
    orInsert make: (ResourceKey) -> AnyResource
  ) -> AnyResource {
    resource(ResourceKey.tableHash(ofPlain: url)) {
      $0.key.isPlain(url) && $0.anyDecoder.reads(like: decoder)
    } orInsert: {
      make(ResourceKey(gettingPlainly: String(decoding: url, as: UTF8.self)))
    }
  }

  private func resource(
    _ hash: Int, where isSought: (AnyResource) -> Bool, orInsert make: () -> AnyResource
  ) -> AnyResource {
    var others: [AnyResource]?
    // Released at the end: what that sets off may ask for the same resource.
    defer { withExtendedLifetime(others) {} }
    if let known = entries.resource(hash: hash, passing: &others, where: isSought) {
      known.noteUse()
      return known
    }
    return insert(make(), hash)
  }

  private func insert(_ made: AnyResource, _ hash: Int) -> AnyResource {
    entries.add(made, hash: hash)
    // Only while others make room for it: what is used once is to go before what is used again.
    made.noteUse()
    trim()
    RegistryEntries.clearUse(of: made)
    return made
  }

  /// Holds a resource again that was beyond the limits.
  func keep(_ resource: AnyResource) {
    entries.move(resource.position, of: resource, to: .kept)
    trim()
  }

  /// Counts the bytes that the content of a resource has now.
  func setBytes(_ bytes: Int, of resource: AnyResource) {
    guard resource.isRegistered else { return }
    entries.setBytes(bytes, at: resource.position)
    // Within the limits too: observers that were deallocated are noticed by a look alone.
    trim()
  }

  /// Holds a resource that has become observed, which may be all that holds it.
  func becameObserved(_ resource: AnyResource) {
    if resource.retention == .released {
      entries.move(resource.position, of: resource, to: .observed)
    }
    resource.noteUse()
  }

  /// Counts a resource against the limits whose last observer has left.
  func becameUnobserved(_ resource: AnyResource) {
    guard resource.isRegistered, entries.kind(of: resource.position) == .observed,
      !isObserved(resource)
    else { return }
    entries.move(resource.position, of: resource, to: .kept)
    // Within the limits too: observers may have been deallocated elsewhere.
    trim()
  }

  /// Releases all that is neither held nor observed.
  ///
  /// - Complexity: O(*n*) in the number of resources.
  func evictUnused() {
    // Counted before: deallocating one may run code that makes others.
    for _ in 0..<entries.exempt.count {
      if let position = entries.exempt.hand { _ = reclaim(position) }
    }
    // Each is passed once at most, because it was used.
    for _ in 0..<(2 * entries.kept.count) {
      if let position = entries.kept.hand { judge(position) }
    }
  }

  /// All living resources.
  ///
  /// - Complexity: O(*n*) in the number of resources.
  var all: [AnyResource] { entries.resources }

  // MARK: The limits

  private var isOverLimits: Bool {
    entries.kept.count > limits.resourceCount || entries.kept.bytes > limits.byteCount
  }

  /// Brings what is kept within the limits.
  ///
  /// Each look ends with every entry where it belongs, because deallocating what is released then may run
  /// any code, which may re-enter this method.
  private func trim() {
    var looks = Self.looks
    while looks > 0, let position = entries.exempt.hand { if !reclaim(position) { looks -= 1 } }
    while isOverLimits, let position = entries.kept.hand { judge(position) }
  }

  /// Counts what is observed no more, and frees the entry of what was deallocated; false for any other
  /// entry, which is passed.
  private func reclaim(_ position: Int32) -> Bool {
    guard let resource = entries.resource(at: position) else {
      entries.free(position)
      return true
    }
    let isObserved = isObserved(resource)
    guard !isObserved, entries.kind(of: position) == .observed else {
      entries.pass(position)
      return false
    }
    entries.move(position, of: resource, to: .kept)
    resource.removeReleasedObservers()
    return true
  }

  /// Exempts what is observed, passes what was used, and releases the rest.
  private func judge(_ position: Int32) {
    guard var resource = entries.resource(at: position) else { return }
    guard !isObserved(resource) else {
      return entries.move(position, of: resource, to: .observed)
    }
    if resource.retention == .used {
      entries.giveSecondChance(to: resource)
    } else {
      guard entries.release(&resource) else { return }
    }
    // What their owners kept may be all that holds the resource.
    resource.removeReleasedObservers()
  }
}
