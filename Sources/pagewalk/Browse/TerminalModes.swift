import Foundation

/// The modes of the terminal, and the signals that change them.
///
/// Signal handlers call only functions that POSIX calls async-signal-safe.
enum TerminalModes {
  /// The memory that the handlers read. It is written once, before they are set.
  private struct Memory: @unchecked Sendable {
    let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    let raw = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// The actions of the signals of ``fatal`` without a browser.
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
    let isEntered = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
    let errors = HeldErrors()
    let noticed: Int32
  }

  /// The pipe to which handlers write, so that the screen is drawn again.
  static let noticed = Pipe()

  private static let memory = Memory(noticed: noticed.fileHandleForWriting.fileDescriptor)

  /// The alternate screen without cursor; lines are not wrapped.
  private static let entering: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leaving: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// The signals that end the process from outside.
  private static let ending = [SIGINT, SIGTERM, SIGHUP]
  /// The signals of a fault.
  private static let fatal = [
    SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS,
  ]

  /// Reads the modes; false if there are none.
  static func prepare() -> Bool {
    guard tcgetattr(STDIN_FILENO, memory.original) == 0 else { return false }
    memory.raw.initialize(to: memory.original.pointee)
    cfmakeraw(memory.raw)
    memory.isEntered.initialize(to: 0)
    return true
  }

  /// Enters raw mode and the alternate screen, and handles signals from here on.
  static func enter() {
    useOwnStack()
    for signal in ending { set(signal, { TerminalModes.end(by: $0) }) }
    for signal in fatal {
      set(signal, { TerminalModes.fail(by: $0) }, keeping: memory.actions + Int(signal))
    }
    set(SIGTSTP, { TerminalModes.stop(by: $0) })
    set(SIGCONT, { _ in TerminalModes.resume() })
    set(SIGWINCH, { _ in TerminalModes.notice() })
    memory.errors.hold()
    memory.isEntered.pointee = 1
    show()
  }

  /// Leaves both, once.
  static func leave() {
    guard memory.isEntered.pointee == 1 else { return }
    restore()
    memory.errors.end()
    memory.isEntered.pointee = 0
    for signal in fatal { sigaction(signal, memory.actions + Int(signal), nil) }
    for signal in ending + [SIGTSTP, SIGCONT, SIGWINCH] { Foundation.signal(signal, SIG_DFL) }
  }

  // MARK: In signal handlers

  private static func show() {
    tcsetattr(STDIN_FILENO, TCSANOW, memory.raw)
    write(entering)
  }

  private static func restore() {
    write(leaving)
    tcsetattr(STDIN_FILENO, TCSANOW, memory.original)
    memory.errors.show()
  }

  /// Restores the terminal, and ends the process.
  private static func end(by signal: Int32) {
    restore()
    Foundation.signal(signal, SIG_DFL)
    raise(signal)
  }

  /// Restores the terminal, and has a fault do what it does without a browser: the runtime may print
  /// a backtrace.
  private static func fail(by signal: Int32) {
    restore()
    memory.errors.end()
    sigaction(signal, memory.actions + Int(signal), nil)
    raise(signal)
  }

  /// Restores the terminal and stops; continues where this was called.
  private static func stop(by signal: Int32) {
    restore()
    Foundation.signal(signal, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    // It has not stopped if there is no shell to continue it.
    resume()
  }

  private static func resume() {
    let error = errno
    defer { errno = error }
    set(SIGTSTP, { TerminalModes.stop(by: $0) })
    show()
    notice()
  }

  /// Has the screen drawn again. What the signal has interrupted may be about to read `errno`.
  private static func notice() {
    let error = errno
    defer { errno = error }
    var byte: UInt8 = 0
    _ = Foundation.write(memory.noticed, &byte, 1)
  }

  private static func write(_ text: StaticString) {
    _ = Foundation.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func set(
    _ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void,
    keeping old: UnsafeMutablePointer<sigaction>? = nil
  ) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    action.sa_flags = SA_ONSTACK | SA_RESTART
    sigaction(signal, &action, old)
  }

  /// Handlers run on a stack of their own, so that an overflow of the main one can be handled.
  private static func useOwnStack() {
    let size = 1 << 16
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = .init(size)
    sigaltstack(&stack, nil)
  }
}
