import Foundation

/// Makes steps fail: returns the `errno` for a step, and 0 to carry it out.
typealias DiskFaults = @Sendable (DiskStep) -> Int32

/// An open file, closed at the end of this object's life.
final class DiskFile: Sendable {
  private let descriptor: Int32
  private let faults: DiskFaults
  /// Kind, size and identity, when it was opened.
  let status: stat

  /// The identity of a file on its file system: another file has another one, also with the same name.
  struct Identity: Sendable, Hashable {
    let device: UInt64
    let number: UInt64

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// Opens a file.
  init(
    _ path: String, _ flags: Int32, mode: mode_t = 0, as step: DiskStep,
    faults: @escaping DiskFaults
  ) throws(SystemFailure) {
    self.faults = faults
    // A pipe that is not written to would block forever.
    let flags = flags | O_NONBLOCK | O_CLOEXEC
    let descriptor = try call(step, faults) { open(path, flags, mode) }
    self.descriptor = descriptor
    var status = stat()
    let result = Result { () throws(SystemFailure) in
      try call(.inspect, faults) { fstat(descriptor, &status) }
    }
    // Before a failure is thrown: an object without its properties would not close the file.
    self.status = status
    _ = try result.get()
  }

  deinit { close(descriptor) }

  var identity: Identity { Identity(status) }

  /// Whether a path still leads to the file, with as many bytes as when it was opened: neither it nor its directory
  /// was removed, moved or replaced, and nothing was appended.
  ///
  /// By the path, because a file may have other names: those of a backup that links to it, or of a directory that was
  /// moved away. The system has the path of an open file in memory.
  func isUnchanged(at path: String) -> Bool {
    var now = stat()
    return lstat(path, &now) == 0 && Identity(now) == identity && now.st_size == status.st_size
  }

  /// Fills a buffer from the file, as far as there are bytes.
  ///
  /// - Returns: the number of bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let received = try call(.read, faults) {
        readBytes(descriptor, rest.baseAddress, rest.count)
      }
      if received == 0 { break }
      count += received
    }
    return count
  }

  /// Writes all bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    var bytes = bytes
    while !bytes.isEmpty {
      // In pieces, so that a fault can come after some of them.
      let piece = min(bytes.count, 1 << 20)
      let written = try call(.write, faults) {
        writeBytes(descriptor, bytes.baseAddress, piece)
      }
      bytes = UnsafeRawBufferPointer(rebasing: bytes[written...])
    }
  }

  /// Waits until what was written is on the disk.
  func synchronize(as step: DiskStep = .synchronize) throws(SystemFailure) {
    do {
      _ = try call(step, faults) { fsync(descriptor) }
    } catch {
      // Some file systems cannot do this with a directory.
      guard step == .synchronizeDirectory, error.code == EINVAL || error.code == ENOTSUP else {
        throw error
      }
    }
  }

  /// Locks the file until it is closed, also by the end of the process.
  ///
  /// - Returns: whether it was not locked yet; false too if files cannot be locked.
  func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Sets the date of the last use, in nanoseconds since 1970. If that fails, the file is evicted early.
  func setDate(_ nanoseconds: Int64) {
    let time = timespec(nanoseconds)
    _ = withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
      times.initialize(repeating: time)
      return futimens(descriptor, times.baseAddress)
    }
  }
}

// Calls of the system that have the names of methods above. Not by the name of their module, which is another one
// with each C library.
private func readBytes(
  _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int { read(descriptor, bytes, count) }

private func writeBytes(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int { write(descriptor, bytes, count) }

extension timespec {
  fileprivate init(_ nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(tv_sec: .init(clamping: seconds), tv_nsec: .init(rest))
  }
}

extension stat {
  var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
  var byteCount: Int { Int(st_size) }
  /// Whether the file is of this user. Its mode says nothing: some file systems have none, and name 0777.
  var isOfThisUser: Bool { st_uid == geteuid() }

  /// The date of the last change of the content, in nanoseconds since 1970.
  var nanoseconds: Int64 {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    // Any date may be set on a file.
    let (seconds, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return time.tv_sec < 0 ? .min : .max }
    let (nanoseconds, isTooLarge) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return isTooLarge ? .max : nanoseconds
  }
}

/// Carries out a call of the system that returns -1 for a failure; again where a signal interrupted it.
func call<Result: FixedWidthInteger>(
  _ step: DiskStep, _ faults: DiskFaults, _ body: () -> Result
) throws(SystemFailure) -> Result {
  let fault = faults(step)
  guard fault == 0 else { throw SystemFailure(step: step, code: fault) }
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = errno
    if code != EINTR { throw SystemFailure(step: step, code: code) }
  }
}

/// A step in the work with files, by which a test makes it fail.
enum DiskStep: String, Sendable, CaseIterable {
  case makeDirectory = "making the directory"
  case list = "listing the directory"
  case open = "opening"
  case inspect = "reading the size and kind"
  case read = "reading"
  case create = "creating a temporary file"
  case write = "writing"
  case synchronize = "flushing to the disk"
  case rename = "renaming the temporary file"
  case synchronizeDirectory = "flushing the directory to the disk"
  case remove = "removing"
}

/// A failed call of the system.
struct SystemFailure: Error {
  let step: DiskStep
  /// The `errno`.
  let code: Int32
}
