import Dispatch
import Foundation

/// Receives the first SIGINT; the second one ends the process.
@MainActor
final class Interrupts {
  private var source: (any DispatchSourceRead)?
  private var stop: (() -> Void)?
  /// Whether there was one.
  private(set) var hasCome = false

  /// Makes interrupts that come only when ``interrupt()`` is called.
  init() {}

  /// Receives the signals of the process.
  ///
  /// The signal handler writes to a pipe, which keeps what comes before anybody reads it. A dispatch
  /// source for the signal itself begins to listen some time later, and until then it would be lost.
  static func ofProcess() -> Interrupts {
    let interrupts = Interrupts()
    // Not on the main queue: that may be busy writing to a pipe that nobody reads.
    let source = DispatchSource.makeReadSource(
      fileDescriptor: noticed.fileHandleForReading.fileDescriptor, queue: .global())
    source.setEventHandler { @Sendable in
      _ = noticed.fileHandleForReading.availableData
      Task { @MainActor in interrupts.interrupt() }
    }
    source.resume()
    interrupts.source = source
    signal(SIGINT) { _ in
      signal(SIGINT, SIG_DFL)
      var byte: UInt8 = 0
      _ = write(noticed.fileHandleForWriting.fileDescriptor, &byte, 1)
    }
    return interrupts
  }

  /// Sets what is to be done; at once where the interrupt has come already.
  func setAction(_ action: @escaping () -> Void) {
    stop = action
    if hasCome { action() }
  }

  /// A person wants to stop.
  func interrupt() {
    hasCome = true
    stop?()
  }
}

/// Where the signal handler says that an interrupt has come. Made before the handler is set.
private let noticed = Pipe()
