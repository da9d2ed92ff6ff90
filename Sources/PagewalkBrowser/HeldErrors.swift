import Foundation

/// Standard error while the screen of the browser is shown: what is written there, such as the message
/// of a crash, would be lost with the screen. It goes to a file, and to the terminal after that.
///
/// Its functions are async-signal-safe, except ``hold()``.
struct HeldErrors: @unchecked Sendable {
  private static let size = 4096

  /// The descriptors of the file and of the terminal; -1 where nothing is held.
  private let file = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  private let terminal = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  /// How much of the file was shown.
  private let offset = UnsafeMutablePointer<off_t>.allocate(capacity: 1)
  private let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)

  init() {
    file.initialize(to: -1)
    terminal.initialize(to: -1)
    offset.initialize(to: 0)
  }

  /// Has standard error written to a file, if it is a terminal.
  func hold() {
    guard isatty(STDERR_FILENO) == 1, let stream = tmpfile() else { return }
    file.pointee = fileno(stream)
    terminal.pointee = dup(STDERR_FILENO)
    offset.pointee = 0
    dup2(file.pointee, STDERR_FILENO)
  }

  /// Writes what is held to the terminal.
  func show() {
    guard file.pointee >= 0 else { return }
    while case let count = pread(file.pointee, buffer, HeldErrors.size, offset.pointee), count > 0 {
      offset.pointee += off_t(count)
      _ = write(terminal.pointee, buffer, count)
    }
  }

  /// Has standard error written to the terminal again.
  func end() {
    guard file.pointee >= 0 else { return }
    dup2(terminal.pointee, STDERR_FILENO)
  }
}
