import Dispatch
import Foundation

/// Hears of the first SIGINT; the second one ends the process.
@MainActor
final class Interrupts {
  private var source: (any DispatchSourceSignal)?
  private var stop: (() -> Void)?
  /// Whether there was one.
  private(set) var hasCome = false

  /// Makes interrupts that come only when ``interrupt()`` is called.
  init() {}

  /// Hears of the signals that the process gets.
  static func ofProcess() -> Interrupts {
    let interrupts = Interrupts()
    signal(SIGINT, SIG_IGN)
    // Not on the main queue: that may be busy writing to a pipe that nobody reads.
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { @Sendable in
      signal(SIGINT, SIG_DFL)
      Task { @MainActor in interrupts.interrupt() }
    }
    source.resume()
    interrupts.source = source
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
