import Dispatch
import Foundation

/// The terminal of the process: its input, its size and its modes.
@MainActor
public final class Terminal {
  /// An input from the terminal.
  enum Input: Sendable {
    case bytes([UInt8])
    /// The process was sent signals that do not end it.
    case signals
    /// The terminal was closed.
    case closed
  }

  /// The inputs from the terminal, until ``endInput()``.
  let inputs: AsyncStream<Input>
  private let receive: AsyncStream<Input>.Continuation
  private let sources: [any DispatchSourceRead]
  private let output: (Data) -> Bool

  /// Begins to use the terminal: raw input, and a screen of its own; nil if there is no terminal.
  ///
  /// ``leave()`` ends that, and so does every signal that ends the process. One that stops it is an input.
  ///
  /// - Parameter output: writes to standard output; false if that is closed.
  public init?(output: @escaping (Data) -> Bool) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      ProcessInfo.processInfo.environment["TERM"] != "dumb", TerminalModes.prepare()
    else { return nil }
    let (inputs, receive) = AsyncStream<Input>.makeStream()
    (self.inputs, self.receive, self.output) = (inputs, receive, output)
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
    input.setEventHandler { @Sendable in
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 {
        receive.yield(.bytes(Array(bytes.prefix(count))))
      } else if count == 0 || ![EINTR, EAGAIN].contains(errno), !Terminal.isInBackground {
        receive.yield(.closed)
      }
    }
    let signals = DispatchSource.makeReadSource(
      fileDescriptor: TerminalModes.noticed.fileHandleForReading.fileDescriptor, queue: .global())
    signals.setEventHandler { @Sendable in
      _ = TerminalModes.noticed.fileHandleForReading.availableData
      receive.yield(.signals)
    }
    sources = [input, signals]
    TerminalModes.enter()
    for source in sources { source.resume() }
  }

  /// Ends ``inputs``.
  func endInput() { receive.finish() }

  /// Leaves the terminal as it was.
  public func leave() {
    for source in sources { source.cancel() }
    TerminalModes.leave()
  }

  /// Stops the process and those of its group, as Ctrl-Z does elsewhere; returns when it continues. The
  /// screen has to be drawn again then.
  func suspend() {
    TerminalModes.stop(group: true)
  }

  /// Does what signals ask for. The screen has to be drawn again, perhaps in another size.
  func handleSignals() { TerminalModes.handleSignals() }

  /// Whether the terminal is another process's: what is typed is not for this one.
  private nonisolated static var isInBackground: Bool {
    let front = tcgetpgrp(STDIN_FILENO)
    return front >= 0 && front != getpgrp()
  }

  var size: TerminalSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return TerminalSize(columns: 80, rows: 24) }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Draws on the screen of the browser, while that is shown; false if the terminal is closed.
  func write(_ text: String) -> Bool {
    text.isEmpty || !TerminalModes.isShown || output(Data(text.utf8))
  }
}
