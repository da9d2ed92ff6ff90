import Foundation

/// The modes of the terminal, and the signals that change them.
///
/// A signal that ends the process restores the terminal in its handler, because the process may hang or
/// have a fault. All others only reach ``signals``, because a handler runs beside the thread that draws,
/// whose rows would be left on the screen of the shell. Handlers call only functions that POSIX calls
/// async-signal-safe.
enum TerminalModes {
  /// The memory that the handlers read. It is written once, before they are set.
  private struct Memory: @unchecked Sendable {
    let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    let raw = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// The actions of the signals of ``fatal`` without a browser.
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
    let isEntered = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
    let errors = HeldErrors()
    let signals: Int32
    let screen = dup(STDOUT_FILENO)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
  }

  /// The pipe to which a handler writes the number of its signal, as one byte.
  static let signals = Pipe()

  private static let memory = Memory(signals: signals.fileHandleForWriting.fileDescriptor)

  /// The alternate screen without cursor; lines are not wrapped.
  private static let entering: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leaving: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// The signals that end the process from outside.
  private static let ending = [SIGINT, SIGTERM, SIGHUP]
  /// The signals that do not end it.
  private static let noticed = [SIGTSTP, SIGCONT, SIGWINCH]
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
    for signal in noticed { notice(signal) }
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
    for signal in ending + noticed { Foundation.signal(signal, SIG_DFL) }
  }

  /// Restores the terminal and stops the process; shows the browser once that continues, or at once
  /// where there is no shell to continue it.
  ///
  /// - Parameter group: whether the other processes of its group stop as well.
  static func stop(group: Bool) {
    restore()
    if group {
      Foundation.signal(SIGTSTP, SIG_IGN)
      kill(0, SIGTSTP)
    }
    Foundation.signal(SIGTSTP, SIG_DFL)
    // Sent to this thread, which may block it: a signal to the process stops it some time after the call.
    var (signals, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &signals, &blocked)
    raise(SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
    notice(SIGTSTP)
    show()
  }

  /// Enters raw mode and the alternate screen, which may be entered already.
  static func show() {
    tcsetattr(STDIN_FILENO, TCSANOW, memory.raw)
    write(entering)
  }

  private static func notice(_ signal: Int32) {
    set(signal) { signal in
      // What the signal has interrupted may be about to read `errno`.
      let error = errno
      defer { errno = error }
      var byte = UInt8(signal)
      _ = Foundation.write(TerminalModes.memory.signals, &byte, 1)
    }
  }

  // MARK: In signal handlers

  private static func restore() {
    write(leaving)
    tcsetattr(STDIN_FILENO, TCSANOW, memory.original)
    memory.errors.show()
  }

  /// Restores the terminal, and ends the process.
  private static func end(by signal: Int32) {
    endDrawing()
    restore()
    Foundation.signal(signal, SIG_DFL)
    raise(signal)
  }

  /// Restores the terminal, and has a fault do what it does without a browser: the runtime may print
  /// a backtrace.
  private static func fail(by signal: Int32) {
    endDrawing()
    restore()
    memory.errors.end()
    sigaction(signal, memory.actions + Int(signal), nil)
    raise(signal)
  }

  /// Has what another thread is about to draw written nowhere.
  private static func endDrawing() {
    dup2(memory.nowhere, STDOUT_FILENO)
  }

  private static func write(_ text: StaticString) {
    _ = Foundation.write(memory.screen, text.utf8Start, text.utf8CodeUnitCount)
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
