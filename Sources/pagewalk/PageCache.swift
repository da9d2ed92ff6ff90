import Foundation
import Freshet
import FreshetTesting

/// The persistent cache of a walk, which knows what pages came from it.
final class PageCache: EntityCache {
  private let cache: any EntityCache
  private let headers: HTTPHeaders
  private let found = Locked<[ResourceKey: Date]>([:])

  /// Creates a cache in a directory, for requests with the given header fields.
  ///
  /// - Parameters:
  ///   - directory: the directory of the files.
  ///   - headers: the header fields of the options. They are part of the identity of a page: what one token
  ///     may see, another may not. The cache stores a digest of them only.
  ///   - cache: what stores the pages; nil for the files of the directory.
  init(directory: String, headers: HTTPHeaders, cache: (any EntityCache)? = nil) {
    self.cache = cache ?? PageCache.files(in: directory)
    self.headers = HTTPHeaders(
      headers.fields.map { .init(name: $0.name.lowercased(), value: $0.value) }
        .sorted { ($0.name, $0.value) < ($1.name, $1.value) })
  }

  /// The files of a directory. They have room for whole lists: of one that does not fit, each page would be removed
  /// before the next walk reads it.
  static func files(in directory: String) -> DiskCache {
    let url = URL(filePath: directory, directoryHint: .isDirectory)
    // Where the current directory was removed, Foundation makes no URL of a file of a relative path. The system refuses
    // the path then, as that of any directory that cannot be used.
    return DiskCache(
      directory: url.isFileURL ? url : URL(string: "file:")?.appending(path: directory) ?? url,
      maximumByteCount: 10_000_000_000)
  }

  var storageIdentifier: String? { cache.storageIdentifier }
  var maximumConcurrentChangeCount: Int { cache.maximumConcurrentChangeCount }

  /// The pages that were found, with the dates at which the server had sent or confirmed them.
  var restored: [ResourceKey: Date] { found.withLock { $0 } }

  /// Whether any page was found.
  var hasRestored: Bool { found.withLock { !$0.isEmpty } }

  @concurrent
  func entry(for key: ResourceKey) async throws -> CachedEntry? {
    guard let entry = try await cache.entry(for: own(key)) else { return nil }
    found.withLock { $0[key] = entry.timestamp }
    return entry
  }

  @concurrent
  func store(_ entry: CachedEntry, for key: ResourceKey) async throws {
    try await cache.store(entry, for: own(key))
  }

  @concurrent
  func remove(_ key: ResourceKey) async throws { try await cache.remove(own(key)) }

  @concurrent
  func removeAll() async throws { try await cache.removeAll() }

  @concurrent
  func removeAll(where matches: @escaping @Sendable (_ url: String) -> Bool) async throws {
    try await cache.removeAll(where: matches)
  }

  private func own(_ key: ResourceKey) -> ResourceKey {
    guard !headers.fields.isEmpty else { return key }
    return ResourceKey(method: key.method, url: key.url, body: key.body, headers: headers)
  }
}
