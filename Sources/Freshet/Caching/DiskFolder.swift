import Foundation

/// The directory of a ``DiskCache``, and what is done with its files. Every call blocks.
///
/// Other processes may use the directory at the same time: a file appears by one renaming, whole, and
/// disappears by one removal, and every file is checked before it is believed.
struct DiskFolder: Sendable {
  let path: String
  /// Makes steps fail, in a test.
  var faults: DiskFaults = { _ in 0 }

  /// A file of the cache.
  struct File: Sendable, Hashable {
    let name: String
    let byteCount: Int
    /// When it was last used, in nanoseconds since 1970.
    let date: Int64
  }

  /// The end of the names of entries, which are digests.
  static let suffix = ".freshet"
  /// The end of the names of files that are being written.
  static let temporarySuffix = ".freshet-temporary"
  static let nameByteCount = 64 + suffix.utf8.count
  /// The largest size of a file, as far as sums of sizes are concerned.
  static let largestSize = 1 << 40

  /// The name of the file of a digest.
  static func name(_ digest: String) -> String { digest + suffix }

  /// Whether a file of that name is an entry.
  static func isName(_ name: String) -> Bool {
    name.utf8.count == nameByteCount && name.hasSuffix(suffix)
      && name.utf8.prefix(64).allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  /// The path of a directory without symbolic links, even if the directory does not exist yet.
  static func resolvingLinks(in path: String) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    guard let slash = path.lastIndex(of: "/") else { return path }
    let parent = resolvingLinks(in: slash == path.startIndex ? "/" : String(path[..<slash]))
    switch path[slash...].dropFirst() {
    case "", ".": return parent
    case "..": return parent.lastIndex(of: "/").map { String(parent[..<$0]) } ?? parent
    case let name: return (parent == "/" ? "" : parent) + "/" + name
    }
  }

  func path(of name: String) -> String { path + "/" + name }

  /// The error of a failed call.
  func error(_ failure: SystemFailure, _ name: String? = nil) -> DiskCacheError {
    DiskCacheError(
      .system(operation: failure.step.rawValue, code: failure.code), name.map(path(of:)) ?? path)
  }

  /// Makes the directory, for this user only.
  private func makeDirectory() throws(SystemFailure) { try makeDirectory(path, mode: 0o700) }

  /// Makes a directory and those that it is in, and waits until each has its name on the disk too.
  private func makeDirectory(_ path: String, mode: mode_t) throws(SystemFailure) {
    let parent = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    if access(parent, F_OK) != 0, parent.utf8.count < path.utf8.count {
      try makeDirectory(parent, mode: 0o777)
    }
    do {
      _ = try call(.makeDirectory, faults) { mkdir(path, mode) }
    } catch {
      // Another process may have been faster.
      guard error.code == EEXIST else { throw error }
      return
    }
    do {
      try synchronize(parent)
    } catch {
      // One that may not be read cannot be waited for.
      guard error.code != EACCES, error.code != EPERM else { return }
      // So that the next call makes it again.
      rmdir(path)
      throw error
    }
  }

  /// Lists the entries, and removes the temporary files of processes that have ended.
  ///
  /// Makes the directory if it does not exist. One of this user that exists and has no files but those of a cache
  /// is closed to other users. One that is used for other things too stays as it is, and so does one with the sticky
  /// bit, such as `/tmp`, which all users share. One of another user than root, who may replace what
  /// is in it, is an error for every user but root.
  func list() throws(DiskCacheError) -> [File] {
    var (files, isOwn) = ([File](), true)
    for name in try names() {
      guard !name.hasSuffix(Self.temporarySuffix) else {
        removeIfAbandoned(name)
        continue
      }
      guard Self.isName(name) else {
        isOwn = false
        continue
      }
      var status = stat()
      guard lstat(path(of: name), &status) == 0 else { continue }
      // A sparse file may claim any size. Sums of these do not overflow.
      let byteCount = min(status.byteCount, Self.largestSize)
      files.append(File(name: name, byteCount: byteCount, date: status.nanoseconds))
    }
    var status = stat()
    if isOwn, stat(path, &status) == 0, status.isOfThisUser, status.st_mode & 0o1000 == 0,
      status.st_mode & 0o077 != 0
    {
      _ = chmod(path, 0o700)
    }
    return files
  }

  /// Whether a user may use a directory of another. Root may: in a container, a directory of the host is of any
  /// user.
  static func mayUse(directoryOf owner: uid_t, as user: uid_t) -> Bool {
    user == 0 || owner == 0 || owner == user
  }

  private func checkOwner(_ status: stat) throws(SystemFailure) {
    guard Self.mayUse(directoryOf: status.st_uid, as: geteuid()) else {
      throw SystemFailure(step: .list, code: EPERM)
    }
  }

  /// Checks that the directory is not one of another user, who may have put it, or a link to it, in the place of the
  /// one that was listed. One that does not exist is made by the next write.
  func checkOwner() throws(DiskCacheError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    do throws(SystemFailure) { try checkOwner(status) } catch { throw self.error(error) }
  }

  private func names() throws(DiskCacheError) -> [String] {
    do throws(SystemFailure) {
      _ = try call(.list, faults) { access(path, F_OK) }
    } catch {
      guard error.code == ENOENT else { throw self.error(error) }
      do throws(SystemFailure) { try makeDirectory() } catch { throw self.error(error) }
    }
    // Foundation does not say which error of the system there was.
    guard let directory = opendir(path) else {
      throw self.error(SystemFailure(step: .list, code: errno))
    }
    defer { closedir(directory) }
    var status = stat()
    guard fstat(dirfd(directory), &status) == 0 else {
      throw self.error(SystemFailure(step: .list, code: errno))
    }
    do throws(SystemFailure) { try checkOwner(status) } catch { throw self.error(error) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    // A part of the directory is not taken for all of it.
    guard errno == 0 else { throw self.error(SystemFailure(step: .list, code: errno)) }
    return names
  }

  /// Removes a temporary file that no process has open: who writes one has locked it.
  private func removeIfAbandoned(_ name: String) {
    let path = path(of: name)
    if let file = try? DiskFile(
      path, O_RDONLY | O_NOFOLLOW, as: .open, faults: { _ in 0 })
    {
      guard file.lock() else { return }
      unlink(path)
    }
  }

  // MARK: - Writing

  /// How a file was written.
  enum Writing: Sendable {
    /// It is another one, which the directory has to name on the disk too.
    case replacement
    /// An update was appended to a file that had the body already, which is that long now.
    case update(byteCount: Int)
  }

  /// Writes a file, whole or not at all, in place of whatever has its name; if that has the body already,
  /// appends the head, without waiting for the disk.
  ///
  /// - Parameters:
  ///   - limit: the bytes that the file may have with what is appended to it.
  ///   - date: when it was last used, in nanoseconds since 1970.
  @discardableResult
  func write(
    head: [UInt8], body: Data, as name: String, limit: Int, date: Int64
  ) throws(DiskCacheError) -> Writing {
    if let byteCount = update(name, head: head, body: body, limit: limit, date: date) {
      return .update(byteCount: byteCount)
    }
    do throws(SystemFailure) {
      do throws(SystemFailure) {
        try writeOnce(head: head, body: body, as: name, date: date)
      } catch {
        // The directory was removed; or, right after it was created, the temporary file.
        guard error.code == ENOENT else { throw error }
        try makeDirectory()
        try writeOnce(head: head, body: body, as: name, date: date)
      }
      return .replacement
    } catch {
      throw self.error(error, name)
    }
  }

  /// Appends a head to a file that has the body.
  ///
  /// Another process may append at the same time, which the system does one after another; or replace or
  /// remove the file, which then is another one than this.
  ///
  /// - Returns: the bytes of the file; nil if it has to be replaced.
  private func update(
    _ name: String, head: [UInt8], body: Data, limit: Int, date: Int64
  ) -> Int? {
    let flags = O_RDWR | O_APPEND | O_NOFOLLOW
    guard let file = try? DiskFile(path(of: name), flags, as: .open, faults: faults),
      // A new one is for this user only.
      file.status.isRegularFile, file.status.isOfThisUser, file.status.st_mode & 0o077 == 0,
      // Before anything is read. The longest file that is to get an update has one less than that.
      file.status.byteCount <= 2 * (head.count + body.count) + 4_096 + head.count,
      let bytes = try? read(file),
      let update = bytes.withUnsafeBytes({
        DiskCacheEntry.update(of: $0, head, body, limit: limit)
      }),
      (try? update.withUnsafeBytes({ try file.write($0) })) != nil
    else { return nil }
    file.setDate(date)
    return bytes.count + update.count
  }

  private func writeOnce(
    head: [UInt8], body: Data, as name: String, date: Int64
  ) throws(SystemFailure) {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    let temporary = path(of: number + Self.temporarySuffix)
    let file = try DiskFile(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, as: .create, faults: faults)
    do throws(SystemFailure) {
      // Says that it is in use. Without locks, another process may remove it, and the write fails.
      _ = file.lock()
      try head.withBytes { bytes throws(SystemFailure) in try file.write(bytes) }
      try body.withBytes { bytes throws(SystemFailure) in try file.write(bytes) }
      file.setDate(date)
      try file.synchronize()
      try rename(temporary, to: path(of: name))
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private func rename(_ temporary: String, to path: String) throws(SystemFailure) {
    do {
      _ = try call(.rename, faults) { renameFile(temporary, path) }
    } catch {
      // Only a directory is not replaced.
      guard [EISDIR, ENOTEMPTY, EEXIST].contains(error.code) else { throw error }
      try? FileManager.default.removeItem(atPath: path)
      _ = try call(.rename, faults) { renameFile(temporary, path) }
    }
  }

  /// Waits until files that were renamed or removed are so on the disk too.
  func synchronize() throws(DiskCacheError) {
    do throws(SystemFailure) {
      try synchronize(path)
    } catch {
      throw self.error(error)
    }
  }

  private func synchronize(_ path: String) throws(SystemFailure) {
    let directory: DiskFile
    do throws(SystemFailure) {
      directory = try DiskFile(path, O_RDONLY | O_DIRECTORY, as: .open, faults: faults)
    } catch {
      // Removed meanwhile, and everything in it.
      guard error.code == ENOENT else { throw error }
      return
    }
    try directory.synchronize(as: .synchronizeDirectory)
  }

  // MARK: - Removing

  /// Removes whatever has that name, if there is anything.
  func remove(_ name: String) throws(DiskCacheError) {
    let path = path(of: name)
    do throws(SystemFailure) {
      do throws(SystemFailure) {
        _ = try call(.remove, faults) { unlink(path) }
      } catch {
        var status = stat()
        guard lstat(path, &status) == 0, status.isDirectory,
          (try? FileManager.default.removeItem(atPath: path)) != nil
        else { throw error }
      }
    } catch {
      guard error.code == ENOENT || error.code == ENOTDIR else { throw self.error(error, name) }
    }
  }

  /// Removes a file that is damaged, unless another has replaced it meanwhile.
  func discard(_ name: String, _ identity: DiskFile.Identity) throws(DiskCacheError) {
    var status = stat()
    guard lstat(path(of: name), &status) == 0, DiskFile.Identity(status) == identity else { return }
    try remove(name)
  }
}

/// The call of the system that has the name of a method above.
private func renameFile(_ old: String, _ new: String) -> Int32 { rename(old, new) }
