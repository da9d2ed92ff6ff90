/// A persistent cache of responses, which keeps them beyond the life of a service.
///
/// ``DiskCache`` stores responses in files. A cache is called off the service's actor, and may be used by several
/// services at once, on any actors. Errors that it throws do not fail requests; ``Service/Configuration/log``
/// receives an entry.
///
/// Services that use the same cache share one order of operations: entries are stored and removed one after another,
/// in the order of the calls, and no service finds an entry that another has removed, however slow the cache is. This
/// also applies to different objects with the same ``storageIdentifier``. If ``maximumConcurrentChangeCount`` is
/// above 1, different entries are changed at once; the changes of one entry stay in order, and the removal of several
/// entries runs alone. Entries may be read at any time. After a wipe, the response to an earlier load of that request
/// is not stored.
///
/// If the cache is slower than the network, at most 64 MiB of responses wait to be stored. A response beyond that is
/// not stored, and its older entry is removed. If several responses for one resource are waiting, only the last one
/// is stored. Removals are never skipped: if even their number is too large, the whole cache is emptied.
public protocol EntityCache: AnyObject, Sendable {
  /// The identifier of the storage, such as the path of a directory, if several objects may use the same storage; nil
  /// by default.
  ///
  /// It must not change during the life of the object.
  var storageIdentifier: String? { get }

  /// The maximum number of entries that are stored and removed at once; 1 by default.
  ///
  /// A higher number helps if the cache changes several entries together faster than one after another.
  var maximumConcurrentChangeCount: Int { get }

  /// Returns the entry of a resource, or nil if there is none.
  @concurrent
  func entry(for key: ResourceKey) async throws -> CachedEntry?

  /// Stores the entry of a resource, and replaces an older one.
  @concurrent
  func store(_ entry: CachedEntry, for key: ResourceKey) async throws

  /// Removes the entry of a resource, if it has one.
  @concurrent
  func remove(_ key: ResourceKey) async throws

  /// Removes all entries, including those of resources that no service has.
  @concurrent
  func removeAll() async throws

  /// Removes the entries of all resources whose URL matches, including those that no service has.
  ///
  /// - Parameter matches: receives ``ResourceKey/url``; it may be called on any thread.
  @concurrent
  func removeAll(where matches: @escaping @Sendable (_ url: String) -> Bool) async throws
}

extension EntityCache {
  /// Nil, the default: each object has entries of its own.
  public var storageIdentifier: String? { nil }
  /// One, the default: entries are changed one after another.
  public var maximumConcurrentChangeCount: Int { 1 }
}
