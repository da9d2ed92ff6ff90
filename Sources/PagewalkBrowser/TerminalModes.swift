import Foundation
internal import PagewalkSignals

/// The modes of the terminal, and the signals that change them.
///
/// A signal that ends the process restores the terminal in its handler, because the process may hang or
/// have a fault. All others only note what they ask for and write to ``noticed``, because a handler runs
/// beside the thread that draws, whose rows would be left on the screen of the shell. Handlers call only
/// functions that POSIX calls async-signal-safe.
enum TerminalModes {
  /// The memory that the handlers use. All but the flags is written once, before they are set.
  private struct Memory: @unchecked Sendable {
    let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    let raw = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// The actions of the signals of ``fatal`` without a browser.
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
    let isEntered = Flag()
    /// Whether the screen of the browser is shown, and may be drawn on.
    let isShown = Flag()
    /// Whether it is about to be.
    let isEntering = Flag()
    /// Whether a signal is about to end the process.
    let isEnding = Flag()
    /// What the signals since the last look ask for.
    let wantsStop = Flag()
    let wantsShow = Flag()
    let errors = HeldErrors()
    let noticed: Int32
    let screen = dup(STDOUT_FILENO)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
  }

  /// A flag that handlers share with the thread that draws: each access is atomic.
  private struct Flag {
    private let pointer = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

    init() { pointer.initialize(to: 0) }

    var isSet: Bool {
      get { pagewalk_flag_is_set(pointer) != 0 }
      nonmutating set { pagewalk_flag_set(pointer, newValue ? 1 : 0) }
    }

    /// Clears the flag; returns whether it was set.
    func take() -> Bool { pagewalk_flag_take(pointer) != 0 }
  }

  /// The pipe to which handlers write, so that ``handleSignals()`` is called.
  static let noticed = Pipe()

  private static let memory = Memory(noticed: noticed.fileHandleForWriting.fileDescriptor)

  /// Whether the screen of the browser may be drawn on.
  static var isShown: Bool { memory.isShown.isSet && !memory.isEnding.isSet }

  /// The alternate screen without cursor; lines are not wrapped.
  private static let entering: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leaving: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// The signals that end the process from outside.
  private static let ending = [
    SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ,
  ]
  /// The signals that do not end it.
  private static let passing = [SIGTSTP, SIGCONT, SIGWINCH]
  /// The signals of a fault.
  private static let fatal = [
    SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS,
  ]

  /// Reads the modes; false if there are none.
  static func prepare() -> Bool {
    guard tcgetattr(STDIN_FILENO, memory.original) == 0 else { return false }
    memory.raw.initialize(to: memory.original.pointee)
    cfmakeraw(memory.raw)
    return true
  }

  /// Enters raw mode and the alternate screen, and handles signals from here on.
  static func enter() {
    useOwnStack()
    for signal in ending { set(signal, { TerminalModes.end(by: $0) }) }
    for signal in fatal {
      set(signal, { TerminalModes.fail(by: $0) }, keeping: memory.actions + Int(signal))
    }
    for signal in passing { handle(signal) }
    memory.errors.hold()
    memory.isEntered.isSet = true
    show()
  }

  /// Leaves both, once.
  static func leave() {
    guard memory.isEntered.isSet else { return }
    restore()
    memory.errors.end()
    memory.isEntered.isSet = false
    for signal in fatal { sigaction(signal, memory.actions + Int(signal), nil) }
    for signal in ending + passing { Foundation.signal(signal, SIG_DFL) }
  }

  /// Does what the signals since the last call ask for. The screen has to be drawn again, perhaps in another
  /// size.
  static func handleSignals() {
    if memory.wantsStop.take() {
      stop(group: false)
    } else if memory.wantsShow.take() {
      show()
    }
  }

  /// Restores the terminal and stops the process; shows the browser once that continues, or at once
  /// where there is no shell to continue it.
  ///
  /// - Parameter group: whether the other processes of its group stop as well.
  static func stop(group: Bool) {
    restore()
    if group {
      signal(SIGTSTP, SIG_IGN)
      kill(0, SIGTSTP)
    }
    signal(SIGTSTP, SIG_DFL)
    // Sent to this thread: a signal to the process stops it some time after the call.
    unblocking(SIGTSTP) { _ = raise(SIGTSTP) }
    handle(SIGTSTP)
    show()
  }

  /// Enters raw mode and the alternate screen, which may be entered already.
  private static func show() {
    memory.isEntering.isSet = true
    defer { memory.isEntering.isSet = false }
    _ = memory.wantsShow.take()
    unblocking(SIGTTOU) {
      // The signal that continues a process may come with one that ends it.
      guard !memory.isEnding.isSet else { return }
      // In the background this stops the process, until it comes to the front.
      tcsetattr(STDIN_FILENO, TCSANOW, memory.raw)
      memory.isShown.isSet = true
      write(entering)
    }
  }

  /// Calls a function while this thread receives a signal, which threads of dispatch block.
  private static func unblocking(_ signal: Int32, _ body: () -> Void) {
    var (signals, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, &blocked)
    body()
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }

  private static func handle(_ signal: Int32) {
    set(signal) { signal in
      // What the signal has interrupted may be about to read `errno`.
      let error = errno
      defer { errno = error }
      // A process that continues is not to stop for what came before.
      if signal != SIGWINCH { TerminalModes.memory.wantsStop.isSet = signal == SIGTSTP }
      if signal == SIGCONT { TerminalModes.memory.wantsShow.isSet = true }
      var byte: UInt8 = 0
      _ = Foundation.write(TerminalModes.memory.noticed, &byte, 1)
    }
  }

  // MARK: In signal handlers

  private static func restore() {
    memory.isShown.isSet = false
    write(leaving)
    tcsetattr(STDIN_FILENO, TCSANOW, memory.original)
    memory.errors.show()
  }

  /// Restores the terminal, and ends the process.
  private static func end(by signal: Int32) {
    // Has what another thread is about to draw written nowhere.
    dup2(memory.nowhere, STDOUT_FILENO)
    restoreAtEnd()
    Foundation.signal(signal, SIG_DFL)
    raise(signal)
  }

  /// Restores the terminal, and has a fault do what it does without a browser: the runtime may print
  /// a backtrace.
  private static func fail(by signal: Int32) {
    restoreAtEnd()
    memory.errors.end()
    sigaction(signal, memory.actions + Int(signal), nil)
    raise(signal)
  }

  /// Restores the terminal, unless the process was stopped: it was restored before that, and is the shell's.
  private static func restoreAtEnd() {
    memory.isEnding.isSet = true
    // Another thread may be in the middle of that; this one itself is not waited for long.
    for _ in 0..<100 where memory.isEntering.isSet { usleep(1000) }
    if memory.isShown.isSet { restore() }
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
