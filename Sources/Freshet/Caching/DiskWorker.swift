import Dispatch
import Foundation

#if os(Linux)
  internal import FreshetCurl
#endif

/// Carries out what blocks, one after another, on a thread of its own: the shared threads of tasks
/// never wait for the disk.
actor DiskWorker {
  /// A file to write or to remove.
  enum Change: Sendable {
    case write(head: [UInt8], body: Data, date: Int64)
    case remove

    /// The bytes of the file.
    var byteCount: Int {
      if case .write(let head, let body, _) = self { head.count + body.count } else { 0 }
    }
  }

  private let folder: DiskFolder
  private nonisolated let executor: DiskExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Creates a worker.
  ///
  /// - Parameters:
  ///   - folder: the directory of the files.
  ///   - priority: that of its thread.
  init(_ folder: DiskFolder, priority: DispatchQoS = .utility) {
    self.folder = folder
    executor = DiskExecutor(priority)
  }

  /// Reads an entry; nil for none.
  ///
  /// - Parameters:
  ///   - identity: the identity of the request.
  ///   - limit: the bytes that the file may have.
  ///   - date: the date of this use, in nanoseconds since 1970.
  func entry(
    of identity: DiskCacheEntry.Identity, limit: Int, date: Int64
  ) throws(DiskFolder.ReadFailure) -> (entry: CachedEntry, byteCount: Int)? {
    try folder.entry(of: identity, limit: limit, date: date)
  }

  /// Reads files before they are asked for, and keeps them open; leaves out what cannot be read, and what would take
  /// the last descriptors of the process.
  ///
  /// - Parameter limit: the bytes that a file may have.
  func readAhead(_ names: [String], limit: Int) -> [String: DiskFolder.Reading] {
    var readings: [String: DiskFolder.Reading] = [:]
    for name in names {
      guard hasDescriptors else { break }
      readings[name] = try? folder.content(of: name, limit: limit)
    }
    return readings
  }

  /// Whether the process can open many more files: more than a transport leaves, so that it can connect while
  /// files are open.
  private var hasDescriptors: Bool {
    #if os(Linux)
      freshet_has_descriptors(16)
    #else
      true
    #endif
  }

  /// Sets the date of the last use of a file, in nanoseconds since 1970, without waiting for that.
  nonisolated func setDate(_ date: Int64, of file: DiskFile) {
    executor.run { file.setDate(date) }
  }

  /// Waits until all that was asked for is done.
  func idle() {}

  /// The files, least recently used first.
  ///
  /// Files whose last use is not known come before all others: a file with a date in the future was used by a clock
  /// that was wrong, and one that is larger than a file may be is not an entry.
  ///
  /// - Parameters:
  ///   - limit: the bytes that a file may have.
  ///   - latest: the latest date that a use can have, in nanoseconds since 1970.
  func list(limit: Int, latest: Int64) throws(DiskCacheError) -> [DiskFolder.File] {
    func use(_ file: DiskFolder.File) -> Int64 {
      file.date > latest || file.byteCount > limit ? 0 : file.date
    }
    return try folder.list().sorted { (use($0), $0.name) < (use($1), $1.name) }
  }

  /// Carries out changes, and waits until the disk has them, but not for updates.
  ///
  /// - Parameter limit: the bytes that a file may have.
  /// - Returns: the bytes that each file has now, or why it was not changed, by its name.
  func perform(
    _ changes: [(name: String, change: Change)], limit: Int
  ) -> [String: Result<Int, DiskCacheError>] {
    var results: [String: Result<Int, DiskCacheError>] = [:]
    do throws(DiskCacheError) {
      try folder.checkOwner()
    } catch {
      for (name, _) in changes { results[name] = .failure(error) }
      return results
    }
    var unsynchronized: [String] = []
    for (name, change) in changes {
      do throws(DiskCacheError) {
        var byteCount = change.byteCount
        switch change {
        case .write(let head, let body, let date):
          switch try folder.write(
            head: head, body: body, as: name, limit: limit, date: date)
          {
          case .replacement: unsynchronized.append(name)
          case .update(let count): byteCount = count
          }
        case .remove:
          try folder.remove(name)
          unsynchronized.append(name)
        }
        results[name] = .success(byteCount)
      } catch {
        results[name] = .failure(error)
      }
    }
    guard !unsynchronized.isEmpty else { return results }
    do throws(DiskCacheError) {
      try folder.synchronize()
    } catch {
      for name in unsynchronized { results[name] = .failure(error) }
    }
    return results
  }

  /// Removes the entries whose URL matches, or all of them, with what cannot be read or has the name of another.
  ///
  /// - Returns: the names of the removed files, and the first failure.
  func sweep(
    _ matches: (@Sendable (_ url: String) -> Bool)?, limit: Int
  ) -> (removed: [String], failure: DiskCacheError?) {
    var (removed, failure) = ([String](), DiskCacheError?.none)
    do throws(DiskCacheError) {
      for file in try folder.list() {
        if let matches, let found = folder.identity(in: file.name, limit: limit),
          DiskFolder.name(found.digest) == file.name, !matches(found.url)
        {
          continue
        }
        do throws(DiskCacheError) {
          try folder.remove(file.name)
          removed.append(file.name)
        } catch {
          failure = failure ?? error
        }
      }
      try folder.synchronize()
    } catch {
      failure = failure ?? error
    }
    return (removed, failure)
  }

  /// Removes a damaged file, unless another has replaced it meanwhile.
  func discard(_ name: String, _ identity: DiskFile.Identity) throws(DiskCacheError) {
    try folder.discard(name, identity)
  }
}

/// A thread for blocking calls, as the executor of an actor.
private final class DiskExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ priority: DispatchQoS) {
    queue = DispatchQueue(label: "freshet.disk-cache", qos: priority)
  }

  func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
