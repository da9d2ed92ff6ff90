import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Two lists of the same pages under random treatment", .standardTimeLimit)
struct SharedPagesRandomTests {
  @Test(
    "Once both were refreshed, each is what the server has",
    arguments: StoreActor.allCases)
  func compared(actor: StoreActor) async throws {
    await actor.run { actor in
      for seed in 1...trialCount(140 as UInt64) {
        let trial = ComparedTrial(
          seed: actor === MainActor.shared ? seed : seed + 1_000_000, listCount: 2)
        await trial.run(rounds: 3, steps: 30)
        if let failure = trial.failure {
          Issue.record("seed \(trial.seed): \(failure)\n\(trial.script.suffix(40))")
          return
        }
      }
    }
  }
}
