import Foundation
import Freshet

/// Standard output and standard error, and the one line of progress that a terminal shows.
@MainActor
final class Console {
  /// The output streams, which a test can replace.
  struct Output {
    /// Writes to standard output; returns the error number of what failed, or nil.
    var write: @MainActor (Data) -> Int32?
    /// Writes to standard error.
    var writeError: @MainActor (Data) -> Void
    /// Whether standard error is a terminal.
    var isTerminal: Bool
    /// Whether standard output is a terminal.
    var isOutputTerminal: Bool
  }

  private let output: Output
  private var liveLine = ""
  /// The error number of the write to standard output that has failed; nil while it takes what is written.
  private var failure: Int32?
  /// Whether standard output is closed: its reader has left, or takes nothing after an interrupt, or it cannot
  /// be written.
  var isClosed: Bool { failure != nil }
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
  func print(_ bytes: Data) {
    guard !bytes.isEmpty, !isClosed else { return }
    let line = liveLine
    clearLine()
    if let failure = output.write(output.isOutputTerminal ? escapedForTerminal(bytes) : bytes) {
      self.failure = failure
      // That a reader such as `head` has left is no failure to report, nor what the user has interrupted.
      if failure != EPIPE, failure != ECANCELED {
        report("standard output cannot be written: \(String(cString: strerror(failure)))")
      }
    }
    show(line)
  }

  /// Writes one line to standard error, whatever the text holds.
  func note(_ text: String) {
    let line = liveLine
    clearLine()
    output.writeError(Data((oneLine(text) + "\n").utf8))
    show(line)
  }

  /// Writes one line to standard error with the program's name before it.
  func report(_ text: String) {
    note("pagewalk: " + text)
  }

  /// Reports progress: on a terminal in a line that is overwritten, otherwise in a new line.
  func progress(_ text: String) {
    guard output.isTerminal else { return report(text) }
    overwrite("pagewalk: " + text)
  }

  /// Shows a line on a terminal until the next one comes.
  func overwrite(_ line: String) {
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
  var isLive: Bool { output.isTerminal }

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
      write: { write($0, to: STDOUT_FILENO, until: Interrupts.descriptor) },
      writeError: { _ = write($0, to: STDERR_FILENO, until: Interrupts.descriptor) },
      isTerminal: isatty(STDERR_FILENO) == 1, isOutputTerminal: isatty(STDOUT_FILENO) == 1)
  }

  /// Writes all bytes, and waits if needed; returns the error number of a failure.
  ///
  /// - Parameter interruption: a descriptor that can be read once the user has interrupted the program: a reader
  ///   that takes nothing is waited for only a moment then, and the failure is `ECANCELED`.
  static func write(_ bytes: Data, to descriptor: Int32, until interruption: Int32 = -1) -> Int32? {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        guard canWrite(to: descriptor, until: interruption) else { return ECANCELED }
        // No more than a pipe takes at once: with the rest it would wait for its reader.
        let part = rest.prefix(Int(PIPE_BUF))
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: part).baseAddress, part.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR, errno != EAGAIN {
          return errno
        }
      }
      return nil
    }
  }

  /// Waits until a descriptor takes bytes, or has a failure that writing to it shows; false if it does not after
  /// an interruption.
  private static func canWrite(to descriptor: Int32, until interruption: Int32) -> Bool {
    var states = [
      pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let isInterrupted = states[1].revents != 0
      let count = poll(&states, isInterrupted ? 1 : 2, isInterrupted ? 200 : -1)
      if states[0].revents != 0 || count < 0 && errno != EINTR { return true }
      if isInterrupted, count == 0 { return false }
    }
  }
}

/// A number with its noun, such as `2 items`.
func count(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}

/// A text on one line. Text from a server may contain control sequences of the terminal.
func oneLine(_ text: String) -> String { String(text.unicodeScalars.onOneLine) }
