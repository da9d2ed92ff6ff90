import FreshetTesting
import Testing

@testable import Freshet

@Suite("The order of the changes of a cache, at random", .standardTimeLimit)
struct CacheOperationsTests {
  private final class Use {}

  @Test(
    "Whatever is asked for, its invariants hold, and in the end nothing is left", arguments: 1...4)
  func invariants(limit: Int) {
    for seed in UInt64(1)...trialCount(300) {
      var random = SeededGenerator(seed: seed)
      let keys = (0..<3).map { ResourceKey.sample("\($0)") }
      var operations = CacheOperations()
      var uses: [(use: Use, key: ResourceKey)] = []
      var keysOfChanges: [ResourceKey?] = []
      func send(_ message: CacheQueue.Message) {
        operations.receive(message)
        if case .change(let change, _, _) = message, operations.pending.newest > keysOfChanges.count
        {
          keysOfChanges.append(change.key)
        }
        operations.checkInvariants()
        #expect(operations.runningIDs.count <= limit, "seed \(seed)")
      }
      func ask(_ change: CacheQueue.Change) {
        let turn = AsyncStream.makeStream(of: CacheQueue.Step.self).continuation
        send(.change(change, limit, turn))
      }
      func finish(_ id: Int) { send(.finish(id, keysOfChanges[id - 1], failed: nil)) }
      for _ in 0..<40 {
        let key = random.pick(keys)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...1:
          let use = Use()
          uses.append((use, key))
          send(.begin(ObjectIdentifier(use), key))
        case 2...5 where !uses.isEmpty:
          let (use, key) = random.pick(uses)
          let change = random.chance(0.7) ? CacheChange.store(.sample("x")) : .remove
          ask(.make(change, key, by: ObjectIdentifier(use)))
        case 6: ask(.remove(key))
        case 7:
          let matches: PendingCacheChanges.Matches = { $0 == key.url }
          ask(.removeAll(where: random.chance(0.5) ? nil : matches))
        case 8: send(.flush(AsyncStream.makeStream(of: Void.self).continuation))
        default: if let id = operations.runningIDs.randomElement(using: &random) { finish(id) }
        }
      }
      while let id = operations.runningIDs.randomElement(using: &random) { finish(id) }
      for (use, key) in uses { send(.end(ObjectIdentifier(use), key)) }
      #expect(operations.isEmpty, "seed \(seed)")
    }
  }
}

extension CacheOperations {
  /// The changes that are carried out now.
  fileprivate var runningIDs: [PendingCacheChanges.ChangeID] { running.keys.sorted() }
}
