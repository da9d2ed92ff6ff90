import Dispatch
import Foundation

/// The terminal of the process: its input, its size and its modes.
@MainActor
final class Terminal {
  /// An input from the terminal.
  enum Input: Sendable {
    case bytes([UInt8])
    /// The process was sent a signal that does not end it.
    case signal(Int32)
    /// The terminal was closed.
    case closed
  }

  /// The inputs from the terminal, until ``endInput()``.
  let inputs: AsyncStream<Input>
  private let receive: AsyncStream<Input>.Continuation
  private let sources: [any DispatchSourceRead]

  /// Begins to use the terminal: raw input, and a screen of its own; nil if there is no terminal.
  ///
  /// ``leave()`` ends that, and so does every signal that ends or stops the process.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      ProcessInfo.processInfo.environment["TERM"] != "dumb", TerminalModes.prepare()
    else { return nil }
    let (inputs, receive) = AsyncStream<Input>.makeStream()
    (self.inputs, self.receive) = (inputs, receive)
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
    input.setEventHandler { @Sendable in
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 {
        receive.yield(.bytes(Array(bytes.prefix(count))))
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        receive.yield(.closed)
      }
    }
    let signals = DispatchSource.makeReadSource(
      fileDescriptor: TerminalModes.signals.fileHandleForReading.fileDescriptor, queue: .global())
    signals.setEventHandler { @Sendable in
      for signal in TerminalModes.signals.fileHandleForReading.availableData {
        receive.yield(.signal(Int32(signal)))
      }
    }
    sources = [input, signals]
    TerminalModes.enter()
    for source in sources { source.resume() }
  }

  /// Ends ``inputs``.
  func endInput() { receive.finish() }

  /// Leaves the terminal as it was.
  func leave() {
    for source in sources { source.cancel() }
    TerminalModes.leave()
  }

  /// Stops the process and those of its group, as Ctrl-Z does elsewhere; returns when it continues. The
  /// screen has to be drawn again then.
  func suspend() {
    TerminalModes.stop(group: true)
  }

  /// Does what a signal asks for. The screen has to be drawn again, perhaps in another size.
  func handle(_ signal: Int32) {
    switch signal {
    case SIGTSTP: TerminalModes.stop(group: false)
    case SIGCONT: TerminalModes.show()
    default: break
    }
  }

  var size: TerminalSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return TerminalSize(columns: 80, rows: 24) }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Writes to the terminal; false if that is closed.
  func write(_ text: String) -> Bool {
    text.isEmpty || Console.Output.write(Data(text.utf8), to: STDOUT_FILENO) == nil
  }
}
