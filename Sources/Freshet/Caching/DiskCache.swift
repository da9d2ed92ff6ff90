import Foundation

/// A persistent cache in the files of a directory.
///
/// ```swift
/// let cache = DiskCache(directory: folder.appending(path: "api.example.com"))
/// service.configure { $0.cache = cache }
/// ```
///
/// Each entry is one file. It appears completely or not at all, even if the process or the machine fails. It is
/// checked when it is read: a damaged file, or one that belongs to another user, is treated as a miss, is removed,
/// and is reported to ``Service/Configuration/log``. The header fields and the date of a confirmation are appended to
/// the file; if these are damaged, the entry is used as it was before. Unless the process runs as root, it does not
/// use a directory that belongs to another user, except root. When the files exceed ``maximumByteCount``, the least
/// recently used ones are removed.
///
/// A file that was incomplete when the process was killed is removed when the cache is next opened. If the body of a
/// response has not changed, as after a 304, only header fields and date are appended to the file, without waiting
/// for the disk: after a power failure, the entry may be as it was before that confirmation.
///
/// Several services, caches and processes can use one directory at the same time. A cache notices the files of others
/// when it lists the directory again, after at most as many writes as there are files (at least 1,000). Until then, the
/// files may exceed ``maximumByteCount``.
///
/// The cache stores the status, header fields, body and URL of responses, and the method and URL of their requests.
/// It never stores `Set-Cookie` fields, a response with `no-store`, which removes the older entry, or the headers and
/// body of requests, except for a digest. **Nothing is encrypted**: directory and files are accessible only to the
/// user of the process. Call ``removeAll()`` when a user signs out.
///
/// No file is read or written before the first call.
public actor DiskCache: EntityCache {
  /// The directory of the files.
  public nonisolated let directory: URL
  /// The path of the directory, with symbolic links resolved.
  ///
  /// The links are resolved when the cache is created. Services whose caches have the same identifier share one order
  /// of operations.
  public nonisolated let storageIdentifier: String?
  /// The maximum number of entries that are written at once: 16, because entries that are written together share a
  /// wait for the disk.
  public nonisolated var maximumConcurrentChangeCount: Int { 16 }
  /// The maximum total size of the files, in bytes.
  public nonisolated let maximumByteCount: Int
  /// The bytes that one file may have: 2 GB, whatever all of them may. A longer one was not written by this.
  nonisolated var entryLimit: Int { min(maximumByteCount, 1 << 31) }
  /// The bytes that may wait to be written: a response that would be more is not stored, and its older
  /// entry is removed.
  nonisolated let maximumQueuedByteCount: Int

  nonisolated let folder: DiskFolder
  let worker: DiskWorker
  /// Reads entries, even while the other one waits for the disk to write.
  let reader: DiskWorker
  private(set) var queue = DiskCacheQueue()
  private var index = DiskCacheIndex()
  private var readAhead = DiskReadAhead()
  private let date: @Sendable () -> Date
  private var opening: Task<DiskCacheError?, Never>?
  private var isWriting = false
  /// How many files, and how many bytes of them, were written since the directory was listed.
  private var writtenCount = 0
  private var writtenByteCount = 0
  private var lastDate: Int64 = 0
  private var failures = DiskCacheFailures()

  /// Creates a cache; its first call creates the directory, accessible only to the user of the process.
  ///
  /// - Parameters:
  ///   - directory: a directory that is used for nothing else. Files in it that do not have the name of an entry
  ///     are kept.
  ///   - maximumByteCount: the maximum total size of the files in bytes; 100 MB by default.
  /// - Precondition: `directory` is the URL of a file, not of a server.
  public init(directory: URL, maximumByteCount: Int = 100_000_000) {
    self.init(directory: directory, maximumByteCount: maximumByteCount, faults: { _ in 0 })
  }

  init(
    directory: URL, maximumByteCount: Int = 100_000_000,
    maximumQueuedByteCount: Int = 64 << 20, date: @escaping @Sendable () -> Date = { Date() },
    faults: @escaping DiskFaults
  ) {
    require(
      directory.isFileURL,
      """
      DiskCache(directory:): \(Redaction.originAndPath(of: directory.absoluteString)) is not the URL \
      of a file
      """)
    self.directory = directory
    self.maximumByteCount = max(maximumByteCount, 0)
    self.maximumQueuedByteCount = maximumQueuedByteCount
    self.date = date
    let path = directory.path(percentEncoded: false)
    // Of a URL of a directory; that of the root is its slash.
    folder = DiskFolder(
      path: path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path, faults: faults)
    storageIdentifier = DiskFolder.resolvingLinks(in: folder.path)
    worker = DiskWorker(folder)
    reader = DiskWorker(folder, priority: .userInitiated)
  }

  // MARK: - EntityCache

  /// Returns the entry of a resource, even if it is still being stored; nil if there is none.
  ///
  /// - Throws: ``DiskCacheError`` if the file is damaged, and then removed, or cannot be read.
  @concurrent
  public func entry(for key: ResourceKey) async throws -> CachedEntry? {
    let identity = DiskCacheEntry.Identity(key)
    let name = DiskFolder.name(identity.digest)
    let date: Int64
    switch try await find(key, name) {
    case .queued(let entry): return entry
    case .onDisk(let use, let batch):
      date = use
      if let reading = await batch?.value[name], reading.content.identity == identity,
        reading.file.isUnchanged(at: folder.path(of: name))
      {
        reader.setDate(date, of: reading.file)
        await note(name, reading.file.status.byteCount)
        return reading.content.entry
      }
    }
    do throws(DiskFolder.ReadFailure) {
      let found = try await reader.entry(of: identity, limit: entryLimit, date: date)
      await note(name, found?.byteCount)
      return found?.entry
    } catch {
      switch error {
      case .system(let failure): throw await noting(folder.error(failure, name), of: .reading)
      case .damaged(let damage, let file):
        try await discard(name, file)
        throw DiskCacheError(.damaged(damage.nature), folder.path(of: name))
      }
    }
  }

  /// Stores the entry of a resource in place of an older one, or only removes that if the response has `no-store`.
  ///
  /// Returns when the entry is on the disk. If it cannot be written, the older entry stays. If too many bytes are
  /// waiting to be written, the older entry is removed.
  ///
  /// If the older entry has the same body, as after a 304, only header fields and date are appended to its file,
  /// without waiting for the disk: after a power failure, the entry may have the older ones.
  ///
  /// - Throws: ``DiskCacheError``.
  @concurrent
  public func store(_ entry: CachedEntry, for key: ResourceKey) async throws {
    let entry = entry.withoutCookies
    let identity = DiskCacheEntry.Identity(key)
    let name = DiskFolder.name(identity.digest)
    guard !entry.mayNotBeStored else { return try await change(.remove, of: key, name) }
    let head: [UInt8]
    do {
      head = try DiskCacheEntry(identity: identity, entry: entry).encodedHead()
    } catch {
      throw DiskCacheError(.notStorable, folder.path(of: name))
    }
    let change = DiskCacheQueue.Change.store(entry, head: head)
    guard change.byteCount <= entryLimit else {
      // The older one is of no use: this one would have replaced it.
      try await self.change(.remove, of: key, name)
      throw DiskCacheError(
        .tooLarge(byteCount: change.byteCount, limit: entryLimit), folder.path(of: name))
    }
    try await self.change(change, of: key, name)
  }

  /// Removes the entry of a resource, if there is one, and returns when it is removed from the disk.
  ///
  /// - Throws: ``DiskCacheError``.
  @concurrent
  public func remove(_ key: ResourceKey) async throws {
    try await change(.remove, of: key, DiskFolder.name(key.digest))
  }

  /// Removes all entries, including those of resources that no service has, and returns when they are removed from
  /// the disk.
  ///
  /// - Throws: ``DiskCacheError``; what could be removed is removed.
  @concurrent
  public func removeAll() async throws {
    try await sweep(nil)
  }

  /// Removes the entries of all resources whose URL matches, and the files that are not the entry that their name
  /// implies.
  ///
  /// Bodies and checksums are not read. A file with a damaged body, or with a damaged URL that does not match, stays
  /// until it is read or evicted; its content is never returned.
  ///
  /// - Throws: ``DiskCacheError``; what could be removed is removed.
  /// - Complexity: reads the beginning of every file.
  @concurrent
  public func removeAll(where matches: @escaping @Sendable (_ url: String) -> Bool) async throws {
    try await sweep(matches)
  }

  // MARK: - Reading

  private enum Finding {
    /// The entry to be written; nil for a removal.
    case queued(CachedEntry?)
    /// An entry in its file, if there is one; with the date of this use, and the batch of files that it is read
    /// ahead with, if it is.
    case onDisk(Int64, DiskReadAhead.Batch?)
  }

  private func find(_ key: ResourceKey, _ name: String) async throws -> Finding {
    try await open(for: .opening)
    switch queue.change(of: key, name) {
    case .store(let entry, _): return .queued(entry)
    case .remove: return .queued(nil)
    case nil: break
    }
    let (batch, next) = readAhead.receive(name, in: index)
    if !next.isEmpty {
      readAhead.append(next, Task { await reader.readAhead(next, limit: entryLimit) })
    }
    return .onDisk(nextDate(), batch)
  }

  /// Notes what was found by reading: another process may have written or removed it.
  private func note(_ name: String, _ byteCount: Int?) {
    failures.succeeded(.reading)
    if let byteCount { index.use(name, byteCount: byteCount) } else { index.remove(name) }
  }

  private func noting(_ error: DiskCacheError, of kind: DiskCacheFailures.Kind) -> DiskCacheError {
    failures.noting(error, of: kind)
  }

  private func discard(_ name: String, _ file: DiskFile.Identity) async throws {
    index.remove(name)
    try await worker.discard(name, file)
  }

  /// The date of a use, in nanoseconds since 1970: later than that of every earlier use, as far as there is such
  /// a number.
  private func nextDate() -> Int64 {
    let date = min(Int64(clamping: date().timeIntervalSince1970 * 1e9), Self.lastUsableDate)
    lastDate = max(lastDate + 1, date)
    return lastDate
  }

  /// The last date of a clock that counts: a year before the greatest number, so that there are many after it.
  private static let lastUsableDate: Int64 = .max - 31_536_000_000_000_000

  // MARK: - Writing

  private func change(
    _ change: DiskCacheQueue.Change, of key: ResourceKey, _ name: String
  ) async throws {
    try await open(for: change.isRemoval ? .removing : .opening)
    let waitingByteCount = queue.byteCount(without: name)
    guard
      change.byteCount == 0 || waitingByteCount == 0
        || waitingByteCount + change.byteCount <= maximumQueuedByteCount
    else {
      // The older one is of no use: this one would have replaced it.
      queue.append(.remove, of: key, name: name, waiter: nil)
      writeAll()
      throw DiskCacheError(.busy, folder.path(of: name))
    }
    try await withCheckedThrowingContinuation { waiter in
      queue.append(change, of: key, name: name, waiter: waiter)
      writeAll()
    }
  }

  private func sweep(_ matches: (@Sendable (_ url: String) -> Bool)?) async throws {
    try await open(for: nil)
    try await withCheckedThrowingContinuation { waiter in
      queue.append(DiskCacheQueue.Sweep(matches: matches, waiters: [waiter]))
      writeAll()
    }
  }

  private func writeAll() {
    guard !isWriting else { return }
    isWriting = true
    Task {
      while let batch = queue.begin() { await write(batch) }
      isWriting = false
    }
  }

  private func write(_ batch: DiskCacheQueue.Batch) async {
    if !batch.sweeps.isEmpty { readAhead = DiskReadAhead() }
    for sweep in batch.sweeps {
      let (removed, failure) = await worker.sweep(sweep.matches, limit: entryLimit)
      for name in removed { index.remove(name) }
      for waiter in sweep.waiters { waiter.resume(failure) }
    }
    let changes = batch.names.compactMap { name in
      batch.changes[name].map { (name: name, change: work(for: $0.change)) }
    }
    var errors: [String: DiskCacheError] = [:]
    let results = changes.isEmpty ? [:] : await worker.perform(changes, limit: entryLimit)
    for (name, change) in changes {
      switch (change, results[name]) {
      case (_, .failure(let error)): errors[name] = error
      case (.remove, _): index.remove(name)
      case (.write, .success(let byteCount)): index.use(name, byteCount: byteCount)
      case (.write, nil): preconditionFailure("DiskCache.write: no result for \(name)")
      }
    }
    if let failure = await evict(after: changes.map(\.change)), let last = batch.names.last {
      errors[last] = errors[last] ?? failure
    }
    queue.end()
    for name in batch.names {
      guard let pending = batch.changes[name] else { continue }
      // A removal says nothing of a full disk.
      let kind: DiskCacheFailures.Kind = pending.change.isRemoval ? .removing : .writing
      let error = errors[name].map { failures.noting($0, of: kind) }
      if error == nil { failures.succeeded(kind) }
      for waiter in pending.waiters { waiter.resume(error) }
    }
  }

  private func work(for change: DiskCacheQueue.Change) -> DiskWorker.Change {
    switch change {
    case .store(let entry, let head):
      .write(head: head, body: entry.response.body, date: nextDate())
    case .remove: .remove
    }
  }

  /// Removes files until the others fit.
  ///
  /// What other processes have written becomes known when the directory is listed again: after so many
  /// writes, or so many bytes, that each costs little.
  private func evict(after changes: [DiskWorker.Change]) async -> DiskCacheError? {
    writtenCount += changes.count
    writtenByteCount += changes.reduce(0) { $0 + $1.byteCount }
    if writtenCount > max(1_000, index.count) || writtenByteCount > maximumByteCount / 8 {
      if let failure = await list() { return failure }
    }
    let names = index.evict(to: maximumByteCount)
    guard !names.isEmpty else { return nil }
    let results = await worker.perform(names.map { ($0, .remove) }, limit: entryLimit)
    for case .failure(let error) in results.values { return error }
    return nil
  }

  // MARK: - Opening

  /// Lists the directory, once.
  ///
  /// - Parameter kind: the kind of a failure; nil for one that is like no other.
  private func open(for kind: DiskCacheFailures.Kind?) async throws {
    let opening = opening ?? Task { await list() }
    self.opening = opening
    guard let failure = await opening.value else { return failures.succeeded(.opening) }
    // The next call attempts it again.
    if self.opening == opening { self.opening = nil }
    throw kind.map { noting(failure, of: $0) } ?? failure
  }

  private func list() async -> DiskCacheError? {
    do throws(DiskCacheError) {
      // With the dates of all uses.
      await reader.idle()
      // A minute later: another process may use an entry meanwhile.
      let latest = nextDate() + 60_000_000_000
      let files = try await worker.list(limit: entryLimit, latest: latest)
      index = DiskCacheIndex(files.map { ($0.name, $0.byteCount) })
      (writtenCount, writtenByteCount) = (0, 0)
      return nil
    } catch {
      return error
    }
  }
}

extension CheckedContinuation where T == Void, E == any Error {
  fileprivate func resume(_ failure: DiskCacheError?) {
    if let failure { resume(throwing: failure) } else { resume() }
  }
}

extension DiskCache {
  /// Stops the program if an invariant does not hold. For tests; O(*n*) in the files.
  func checkInvariants() {
    queue.checkInvariants()
    index.checkInvariants()
    readAhead.checkInvariants()
  }
}
