import Dispatch
import Foundation

/// Receives the first SIGINT; the second one ends the process at once, whatever it waits for.
@MainActor
final class Interrupts {
  private var source: (any DispatchSourceRead)?
  private var stop: (() -> Void)?
  private var isReceived = false
  /// Whether an interrupt was received. A signal counts from its handler on, whatever the main actor is doing.
  var hasCome: Bool { isReceived || source != nil && Interrupts.isSignaled }

  /// Creates interrupts that come only when ``interrupt()`` is called.
  init() {}

  /// Lets the first SIGINT end the process at once: before there is anything that it could interrupt.
  nonisolated static func endProcess() {
    endProcessAtNext()
    // What starts this program may have blocked the signal.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private nonisolated static func endProcessAtNext() {
    // Not with the disposition of the system: a caller in another language sees no status then.
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
  }

  /// Receives the signals of the process.
  ///
  /// The signal handler writes to a pipe, which keeps the bytes until they are read. A dispatch
  /// source for the signal itself starts listening some time later, and a signal before that would
  /// be lost.
  static func ofProcess() -> Interrupts {
    let interrupts = Interrupts()
    // Not on the main queue: that may be busy writing to a pipe that is not being read.
    let source = DispatchSource.makeReadSource(
      fileDescriptor: noticed.fileHandleForReading.fileDescriptor, queue: .global())
    source.setEventHandler { @Sendable in
      _ = noticed.fileHandleForReading.availableData
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2)) {
        try? late.fileHandleForWriting.write(contentsOf: [0])
      }
      Task { @MainActor in interrupts.interrupt() }
    }
    source.resume()
    interrupts.source = source
    // A signal handler must not make it: a global is made where it is first used.
    _ = lasting
    signal(SIGINT) { _ in
      Interrupts.endProcessAtNext()
      var byte: UInt8 = 0
      _ = write(lasting.fileHandleForWriting.fileDescriptor, &byte, 1)
      _ = write(noticed.fileHandleForWriting.fileDescriptor, &byte, 1)
    }
    return interrupts
  }

  /// Sets the action for an interrupt; called at once if one was received already.
  func setAction(_ action: @escaping () -> Void) {
    stop = action
    if hasCome { action() }
  }

  /// Receives an interrupt from the user.
  func interrupt() {
    isReceived = true
    stop?()
  }

  /// A descriptor that can be read from the first signal on.
  private nonisolated static var descriptor: Int32 { lasting.fileHandleForReading.fileDescriptor }

  /// A descriptor that can be read from two seconds after the first signal on, so that a reader is not waited
  /// for any longer.
  nonisolated static var deadline: Int32 { late.fileHandleForReading.fileDescriptor }

  private static var isSignaled: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }
}

/// The pipe to which the signal handler writes. Made before the handler is set.
private let noticed = Pipe()
/// The pipe that can be read from the first signal on: nothing is read from it. Made before the handler is set, too.
private let lasting = Pipe()
/// The pipe that can be read once nothing is waited for any longer after a signal. Nothing is read from it.
private let late = Pipe()
