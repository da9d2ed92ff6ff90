/// The kinds of actors that a store can belong to; every contract test runs on each.
package enum StoreActor: String, CaseIterable, Sendable, CustomStringConvertible {
  case mainActor = "on the main actor"
  case plainActor = "on a plain actor"

  package var description: String { rawValue }

  /// Runs a scenario on an actor of this kind. Its `#isolation` is the parameter.
  package func run(
    _ scenario: @Sendable (_ actor: isolated any Actor) async throws -> Void
  ) async rethrows {
    switch self {
    case .mainActor: try await Self.onMainActor(scenario)
    case .plainActor: try await PlainActor().run(scenario)
    }
  }

  @MainActor
  private static func onMainActor(
    _ scenario: @Sendable (_ actor: isolated any Actor) async throws -> Void
  ) async rethrows {
    try await scenario(MainActor.shared)
  }

  private actor PlainActor {
    func run(
      _ scenario: @Sendable (_ actor: isolated any Actor) async throws -> Void
    ) async rethrows {
      try await scenario(self)
    }
  }
}
