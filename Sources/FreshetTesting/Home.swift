/// Where a store can live; every contract test runs in each.
package enum Home: String, CaseIterable, Sendable, CustomStringConvertible {
  case mainActor = "on the main actor"
  case plainActor = "on a plain actor"

  package var description: String { rawValue }

  /// Runs a scenario on that actor. Its `#isolation` is the parameter.
  package func run(
    _ scenario: @Sendable (_ home: isolated any Actor) async throws -> Void
  ) async rethrows {
    switch self {
    case .mainActor: try await Self.onMainActor(scenario)
    case .plainActor: try await Room().run(scenario)
    }
  }

  @MainActor
  private static func onMainActor(
    _ scenario: @Sendable (_ home: isolated any Actor) async throws -> Void
  ) async rethrows {
    try await scenario(MainActor.shared)
  }

  private actor Room {
    func run(
      _ scenario: @Sendable (_ home: isolated any Actor) async throws -> Void
    ) async rethrows {
      try await scenario(self)
    }
  }
}
