import Foundation
import FreshetTesting

/// An actor whose jobs all run on one marked queue, the way the main actor's do on the main queue.
actor MarkedActor {
  private static let mark = DispatchSpecificKey<Bool>()
  /// Whether this is called on the actor, or another one of this type.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

  private static let executor: QueueExecutor = {
    let executor = QueueExecutor(label: "marked")
    executor.queue.setSpecific(key: mark, value: true)
    return executor
  }()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }

  func run(_ scenario: @Sendable (isolated any Actor) async throws -> Void) async rethrows {
    try await scenario(self)
  }
}
