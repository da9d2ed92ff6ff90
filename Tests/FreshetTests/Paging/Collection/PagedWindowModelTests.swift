import FreshetTesting
import Freshet
import Testing

@Suite("A list of moving rows, compared with the server after every refresh", .standardTimeLimit)
struct PagedWindowModelTests {

  @Test(
    "Whatever was moved, inserted or deleted, a refreshed list is a run of the server's rows",
    arguments: StoreActor.allCases)
  func oneList(actor: StoreActor) async throws {
    await actor.run { actor in
      await Self.run(Self.seeds(in: actor, from: 0), isShared: false)
    }
  }

  @Test(
    "Another list of the same pages, with another past, changes nothing about that",
    arguments: StoreActor.allCases)
  func twoLists(actor: StoreActor) async throws {
    await actor.run { actor in
      await Self.run(Self.seeds(in: actor, from: 2_000_000), isShared: true)
    }
  }

  /// Most trials are made on an actor of their own: other tests wait for the main actor.
  private static func seeds(in actor: any Actor, from first: UInt64) -> Range<UInt64> {
    actor === MainActor.shared
      ? first + 1..<first + 1 + trialCount(100)
      : first + 1_000_001..<first + 1_000_001 + trialCount(400)
  }

  private static func run(
    _ seeds: Range<UInt64>, isShared: Bool, isolation: isolated any Actor = #isolation
  ) async {
    for seed in seeds {
      let trial = RowTrial(seed: seed, isShared: isShared)
      await trial.run(rounds: 2, steps: 8)
      if let failure = trial.failure {
        Issue.record("seed \(seed): \(failure)\n\(trial.script.joined(separator: "; "))")
        return
      }
    }
  }
}
