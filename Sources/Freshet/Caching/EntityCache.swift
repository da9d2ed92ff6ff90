/// A persistent cache of responses, which keeps them beyond the life of a service.
///
/// ``DiskCache`` is one in files. A cache is called off the service's actor, and may be used by many services
/// at once, on any actors. An error that it throws fails no request: ``Service/Configuration/log`` receives an entry.
///
/// A cache is an object, and services that use the same one share its order of operations: they store and
/// remove one entry after the other, as they were asked to, and none of them finds what another has
/// removed, however slow the cache is. So do services with different objects for one storage, where these
/// have the same ``storageIdentifier``. A cache with a ``maximumConcurrentChangeCount`` above 1 is asked for
/// changes of different entries at once; those of one entry keep their order, and the removal of many has
/// nothing beside it. Entries may be read at any time. After a wipe, the response to an
/// earlier load of that request is not stored.
///
/// For a cache that is slower than the network, at most 64 MiB of responses wait; one beyond that is not stored,
/// and an older one is removed. Of several responses for one resource that wait, only the last one is stored. No
/// removal is ever left out: where even their number is too large, the whole cache is emptied.
public protocol EntityCache: AnyObject, Sendable {
  /// What the entries are kept in, such as the path of a directory, for caches of which several objects may
  /// use the same; nil, the default, where each object has its own.
  ///
  /// It stays the same for the life of the object.
  var storageIdentifier: String? { get }
  /// How many entries it may be asked to store and remove at once; 1 by default.
  ///
  /// More is for a cache that does several together cheaper than one by one.
  var maximumConcurrentChangeCount: Int { get }
  /// Returns the entry of a resource, or nil for none.
  @concurrent
  func entry(for key: ResourceKey) async throws -> CachedEntry?
  /// Stores the entry of a resource, and replaces an older one.
  @concurrent
  func store(_ entry: CachedEntry, for key: ResourceKey) async throws
  /// Removes the entry of a resource, if it has one.
  @concurrent
  func remove(_ key: ResourceKey) async throws
  /// Removes all entries, also those of resources that no service has.
  @concurrent
  func removeAll() async throws
  /// Removes the entries of all resources whose URL matches, also of those that no service has.
  ///
  /// - Parameter matches: receives ``ResourceKey/url``; it may be called on any thread.
  @concurrent
  func removeAll(where matches: @escaping @Sendable (_ url: String) -> Bool) async throws
}

extension EntityCache {
  /// Each object has entries of its own.
  public var storageIdentifier: String? { nil }
  /// One after the other.
  public var maximumConcurrentChangeCount: Int { 1 }
}
