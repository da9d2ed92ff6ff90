import Foundation

extension DiskFolder {
  /// Why a file is not read.
  enum ReadFailure: Error {
    /// A file that is not as it was written, and is to be removed.
    case damaged(DiskCacheEntry.Damage, DiskFile.Identity)
    case system(SystemFailure)
  }

  /// A file that was read, which is open still.
  struct Reading: Sendable {
    let content: DiskCacheEntry
    let file: DiskFile
  }

  /// Reads the entry of a resource; nil for none.
  ///
  /// - Parameters:
  ///   - limit: the bytes that a file may have.
  ///   - date: the date of this use, in nanoseconds since 1970, which is set on the file.
  func entry(
    of identity: DiskCacheEntry.Identity, limit: Int, date: Int64
  ) throws(ReadFailure) -> (entry: CachedEntry, byteCount: Int)? {
    guard let reading = try content(of: Self.name(identity.digest), limit: limit) else {
      return nil
    }
    guard reading.content.identity == identity else {
      throw .damaged(.otherIdentity, reading.file.identity)
    }
    reading.file.setDate(date)
    return (reading.content.entry, reading.file.status.byteCount)
  }

  /// Reads a file; nil for none.
  func content(of name: String, limit: Int) throws(ReadFailure) -> Reading? {
    guard let file = try open(name, limit: limit) else { return nil }
    // Before memory is asked for, if that is much.
    if file.status.byteCount > 1 << 20 { try checkLength(of: name, limit: limit) }
    let bytes = try read(file)
    do throws(DiskCacheEntry.Damage) {
      let content = try bytes.withBytes { bytes throws(DiskCacheEntry.Damage) in
        try DiskCacheEntry(reading: bytes)
      }
      return Reading(content: content, file: file)
    } catch {
      throw .damaged(error, file.identity)
    }
  }

  /// Checks that a file is as long as its first bytes say.
  private func checkLength(of name: String, limit: Int) throws(ReadFailure) {
    guard let file = try open(name, limit: limit) else { return }
    let beginning = try read(file, atMost: DiskCacheEntry.Preamble.byteCount)
    do throws(DiskCacheEntry.Damage) {
      try beginning.withBytes { bytes throws(DiskCacheEntry.Damage) in
        _ = try DiskCacheEntry.Preamble(bytes, fileByteCount: file.status.byteCount)
      }
    } catch {
      throw .damaged(error, file.identity)
    }
  }

  /// The identity that a file states, unchecked; nil if there is none.
  func identity(in name: String, limit: Int) -> DiskCacheEntry.Identity? {
    // Nearly always more than the head has.
    for count in [1 << 13, limit] {
      guard let file = try? open(name, limit: limit), let bytes = try? read(file, atMost: count)
      else { return nil }
      let identity = bytes.withUnsafeBytes {
        try? DiskCacheEntry.Identity(beginning: $0, fileByteCount: file.status.byteCount)
      }
      if let identity { return identity }
      if bytes.count < count { return nil }
    }
    return nil
  }

  /// Opens a file that may be an entry; nil for none.
  private func open(_ name: String, limit: Int) throws(ReadFailure) -> DiskFile? {
    let path = path(of: name)
    let file: DiskFile
    do throws(SystemFailure) {
      file = try DiskFile(path, O_RDONLY | O_NOFOLLOW, as: .open, faults: faults)
    } catch {
      if error.code == ENOENT { return nil }
      var status = stat()
      // A link, or a socket.
      guard error.code == ELOOP || error.code == ENXIO, lstat(path, &status) == 0 else {
        throw .system(error)
      }
      throw .damaged(.notAFile, DiskFile.Identity(status))
    }
    guard file.status.isRegularFile else { throw .damaged(.notAFile, file.identity) }
    guard file.status.isOfThisUser else { throw .damaged(.otherOwner, file.identity) }
    // Before anything is read, and before memory is asked for.
    guard file.status.byteCount <= limit else { throw .damaged(.tooLarge, file.identity) }
    return file
  }

  /// Reads a file from its beginning.
  func read(_ file: DiskFile, atMost limit: Int = .max) throws(ReadFailure) -> [UInt8] {
    let size = min(file.status.byteCount, limit)
    do throws(SystemFailure) {
      var failure: SystemFailure?
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        do throws(SystemFailure) {
          count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return bytes
    } catch {
      throw .system(error)
    }
  }
}
