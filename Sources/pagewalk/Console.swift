import Foundation
import Freshet

/// Standard output and standard error, and the one line of progress that a terminal shows.
@MainActor
final class Console {
  /// The output streams, which a test can replace.
  struct Output {
    /// Writes to standard output.
    var write: @MainActor (Data) -> Written
    /// Writes to standard error.
    var writeError: @MainActor (Data) -> Void
    /// Whether standard error is a terminal.
    var isTerminal: Bool
    /// Whether standard output is a terminal.
    var isOutputTerminal: Bool
    /// Whether the terminal knows no control sequences, so that no line is overwritten.
    var isDumb = false
    /// Whether something may read what is written to standard output.
    var hasReader: @MainActor () -> Bool = { true }
  }

  /// What became of bytes that were to be written.
  struct Written {
    /// How many were written: all, or those before a failure.
    var count: Int
    /// The error number of what failed; nil if nothing did.
    var failure: Int32?
  }

  private let output: Output
  private var liveLine = ""
  /// The error number of the write to standard output that has failed; nil while it takes what is written.
  private var failure: Int32?
  /// Whether standard output is closed: its reader has left, or takes nothing after an interrupt, or it cannot
  /// be written.
  var isClosed: Bool { failure != nil }
  /// Whether the user has interrupted the program, and nothing has read what it writes.
  var isUnread: Bool { failure == ECANCELED }
  /// Whether something else than a reader that has left closed standard output.
  var isFailed: Bool { failure != nil && failure != EPIPE }

  init(output: Output) {
    self.output = output
  }

  /// Writes to standard output.
  func print(_ text: String) {
    print(Data(text.utf8))
  }

  /// Writes JSON, or text without control characters, to standard output.
  ///
  /// - Returns: how many lines were written whole.
  @discardableResult
  func print(_ bytes: Data) -> Int {
    guard !bytes.isEmpty, !isClosed else { return 0 }
    let line = liveLine
    clearLine()
    let bytes = output.isOutputTerminal ? escapedForTerminal(bytes) : bytes
    let written = output.write(bytes)
    if let failure = written.failure {
      self.failure = failure
      // That a reader such as `head` has left is no failure to report. An interrupt is reported at the end.
      if failure != EPIPE, failure != ECANCELED {
        report("standard output cannot be written: \(String(cString: strerror(failure)))")
      }
    }
    show(line)
    return bytes.prefix(written.count).count { $0 == UInt8(ascii: "\n") }
  }

  /// Detects that the reader of standard output has left while there is nothing to write, which would show it.
  func detectReader() {
    if !isClosed, !output.hasReader() { failure = EPIPE }
  }

  /// Writes one line to standard error, whatever the text holds.
  func note(_ text: String) {
    writeError(Data(oneLine(text).utf8))
  }

  /// Writes one line with JSON to standard error: the same value, whatever the text holds.
  func note(json text: String) {
    writeError(escapedForTerminal(Data(text.utf8)))
  }

  private func writeError(_ bytes: Data) {
    let line = liveLine
    clearLine()
    output.writeError(bytes + Data("\n".utf8))
    show(line)
  }

  /// Writes one line to standard error with the program's name before it.
  func report(_ text: String) {
    note("pagewalk: " + text)
  }

  /// Reports progress: on a terminal in a line that is overwritten, otherwise in a new line.
  func progress(_ text: String) {
    guard isLive else { return report(text) }
    overwrite("pagewalk: " + text)
  }

  /// Shows a line on a terminal until the next one comes; nothing where no line is overwritten.
  func overwrite(_ line: String) {
    guard isLive else { return }
    clearLine()
    show(oneLine(line))
  }

  /// Removes the line of progress from the terminal.
  func clearLine() {
    guard !liveLine.isEmpty else { return }
    output.writeError(Data("\r\u{1B}[K".utf8))
    liveLine = ""
  }

  /// Whether progress is shown in a line that is overwritten.
  var isLive: Bool { output.isTerminal && !output.isDumb }

  /// Whether a person reads both standard output and standard error, as they come.
  var isInteractive: Bool { output.isTerminal && output.isOutputTerminal }

  private func show(_ line: String) {
    guard !line.isEmpty else { return }
    output.writeError(Data(line.utf8))
    liveLine = line
  }
}

extension Console.Output {
  /// The standard streams of the process.
  static var standard: Console.Output {
    Console.Output(
      write: { write($0, to: STDOUT_FILENO, until: Interrupts.deadline) },
      writeError: { _ = write($0, to: STDERR_FILENO, until: Interrupts.deadline) },
      isTerminal: isatty(STDERR_FILENO) == 1, isOutputTerminal: isatty(STDOUT_FILENO) == 1,
      isDumb: ProcessInfo.processInfo.environment["TERM"] == "dumb",
      hasReader: { hasReader(of: STDOUT_FILENO) })
  }

  /// Whether a descriptor is no pipe whose reader has left.
  static func hasReader(of descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) <= 0 || Int32(state.revents) & (POLLERR | POLLHUP) == 0
  }

  /// Writes all bytes, and waits if needed.
  ///
  /// - Parameter deadline: a descriptor that can be read once a reader that takes nothing is not waited for any
  ///   longer, and the failure is `ECANCELED`. No line is cut then that a pipe takes at once.
  static func write(
    _ bytes: Data, to descriptor: Int32, until deadline: Int32 = -1
  ) -> Console.Written {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        guard canWrite(to: descriptor, until: deadline) else {
          return Console.Written(count: rest.startIndex, failure: ECANCELED)
        }
        // No more than a pipe takes at once: with the rest it would wait for its reader.
        var part = rest.prefix(Int(PIPE_BUF))
        if let end = part.lastIndex(of: UInt8(ascii: "\n")) { part = part[...end] }
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: part).baseAddress, part.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR, errno != EAGAIN {
          return Console.Written(count: rest.startIndex, failure: errno)
        }
      }
      return Console.Written(count: buffer.count)
    }
  }

  /// Waits until a descriptor takes bytes, or has a failure that writing to it shows; false if it does not until
  /// another can be read.
  private static func canWrite(to descriptor: Int32, until deadline: Int32) -> Bool {
    var states = [
      pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: deadline, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let count = poll(&states, 2, -1)
      if states[0].revents != 0 || count < 0 && errno != EINTR { return true }
      if count > 0 { return false }
    }
  }
}

/// A number with its noun, such as `2 items`.
func count(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}

/// A text on one line. Text from a server may contain control sequences of the terminal.
func oneLine(_ text: String) -> String { String(text.unicodeScalars.onOneLine) }
