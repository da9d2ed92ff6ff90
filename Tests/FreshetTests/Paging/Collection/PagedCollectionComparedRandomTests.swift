import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite(
  "A list of pages under random treatment, compared before it is reset and after",
  .standardTimeLimit)
struct PagedCollectionComparedRandomTests {
  @Test(
    "What is left of anything is what the server has, once a refresh has completed",
    arguments: StoreActor.allCases)
  func compared(actor: StoreActor) async throws {
    await actor.run { actor in
      for seed in 1...trialCount(150 as UInt64) {
        let trial = ComparedTrial(
          seed: actor === MainActor.shared ? seed : seed + 1_000_000, listCount: 1)
        await trial.run(rounds: 3, steps: 30)
        if let failure = trial.failure {
          Issue.record("seed \(trial.seed): \(failure)\n\(trial.script.suffix(40))")
          return
        }
      }
    }
  }
}
