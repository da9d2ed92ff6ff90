import Foundation
import Testing

@testable import Freshet

@Suite("What a cache has still to write, beside a naive list of it")
struct DiskCacheQueueModelTests {
  /// A change, in the order in which they were made.
  private enum Step {
    case store(ResourceKey, bytes: Int)
    case remove(ResourceKey)
    /// The removal of all whose number has this remainder.
    case sweep(remainder: Int)
  }

  private static let keys = (0..<6).map { ResourceKey.sample("\($0)") }
  /// A hash each, which takes long.
  private static let names = Dictionary(uniqueKeysWithValues: keys.map { ($0, $0.fileName) })

  @Test(
    "Any order of changes and writes leaves each entry as the newest change says",
    arguments: 0..<trialCount(200))
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var queue = DiskCacheQueue()
    var (waiting, running) = ([Step](), [Step]())
    for _ in 0..<100 {
      let index = Int.random(in: 0..<Self.keys.count, using: &random)
      let key = Self.keys[index]
      let name = Self.names[key]!
      switch Int.random(in: 0..<8, using: &random) {
      case 0...2:
        let bytes = Int.random(in: 0..<50, using: &random)
        queue.append(
          .store(.sample(Data(count: bytes)), head: [1, 2]), of: key, name: name, waiter: nil)
        waiting.append(.store(key, bytes: bytes + 2))
      case 3, 4:
        queue.append(.remove, of: key, name: name, waiter: nil)
        waiting.append(.remove(key))
      case 5:
        let remainder = index % 3
        let urls = Set(Self.numbers(remainder).map { Self.keys[$0].url })
        queue.append(DiskCacheQueue.Sweep(matches: { urls.contains($0) }, waiters: []))
        waiting.append(.sweep(remainder: remainder))
      case 6:
        guard running.isEmpty else { continue }
        #expect((queue.begin() == nil) == waiting.isEmpty)
        (running, waiting) = (waiting, [])
      default:
        queue.end()
        running = []
      }
      queue.checkInvariants()
      for key in Self.keys {
        let expected = Self.bytes(of: key, after: waiting) ?? Self.bytes(of: key, after: running)
        let change = queue.change(of: key, Self.names[key]!)
        #expect(change.map { $0.isRemoval ? -1 : $0.byteCount } == expected)
      }
      #expect(
        queue.byteCount
          == Self.keys.reduce(0) { $0 + max(Self.bytes(of: $1, after: waiting) ?? 0, 0) })
    }
  }

  private static func numbers(_ remainder: Int) -> [Int] {
    keys.indices.filter { $0 % 3 == remainder }
  }

  /// How many bytes the newest of the changes stores for a key; -1 for a removal, nil for no change.
  private static func bytes(of key: ResourceKey, after steps: [Step]) -> Int? {
    for step in steps.reversed() {
      switch step {
      case .store(key, let bytes): return bytes
      case .remove(key): return -1
      case .sweep(let remainder) where numbers(remainder).contains(where: { keys[$0] == key }):
        return -1
      default: continue
      }
    }
    return nil
  }
}
