import Foundation
import Testing

@testable import Freshet
@testable import FreshetTesting

@Suite("The uses of an entry of the persistent cache")
struct EntryUsesTests {
  private final class Use {}

  private static func headers(_ etag: Int, _ modified: Int = 0) -> HTTPHeaders {
    modified > 0
      ? ["ETag": "\"\(etag)\"", "Last-Modified": "\(modified)"] : ["ETag": "\"\(etag)\""]
  }

  private static func entry(_ etag: Int, _ variant: UInt64, _ text: String) -> CachedEntry {
    CachedEntry(
      response: HTTPResponse(
        status: 200, headers: headers(etag), body: Data(text.utf8), url: URL(filePath: "/")),
      timestamp: Date(timeIntervalSince1970: 0), variant: variant)
  }

  private static func change(_ random: inout SeededGenerator, _ step: Int) -> CacheChange {
    let (etag, variant) = (random.pick([1, 2]), random.pick([0, 1] as [UInt64]))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .remove
    case 1: return .store(entry(etag, variant, "\(step)"))
    default:
      return .confirm(
        CacheChange.Confirmation(
          validators: HTTPValidators(headers(etag)), variant: variant,
          headers: headers(random.pick([1, 2]), random.pick([0, 1, 2])),
          date: Date(timeIntervalSince1970: Double(step)), newVariant: random.pick([0, 1])))
    }
  }

  /// What a change makes of any entry that there may be.
  private static func outcomes(_ change: CacheChange?) -> [CachedEntry?] {
    onDisk.map { change == nil ? $0 : change?.applied(to: $0) }
  }

  private static let onDisk = [1, 2].flatMap { etag in
    ([0, 1] as [UInt64]).map { entry(etag, $0, "disk") }
  }

  @Test(
    "At random each sees what came of the entry since it began, change by change",
    arguments: 1...20 as ClosedRange<UInt64>)
  func matchesNaiveUses(seed: UInt64) {
    for round in 0..<trialCount(80) {
      let seed = seed * 10_000 + UInt64(round)
      var random = SeededGenerator(seed: seed)
      var uses = EntryUses()
      var naive: [(use: Use, change: CacheChange?, isRevoked: Bool)] = []
      // What is left to be carried out of the changes.
      var pending: CacheChange?
      for step in 0..<40 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2:
          let use = Use()
          uses.begin(ObjectIdentifier(use), pending: pending)
          naive.append((use, pending, false))
        case 3 where !naive.isEmpty:
          let ended = naive.remove(at: Int.random(in: naive.indices, using: &random))
          uses.end(ObjectIdentifier(ended.use))
          if naive.isEmpty { uses = EntryUses() }
        case 4: pending = nil
        case 5:
          uses.revoke()
          for index in naive.indices {
            (naive[index].change, naive[index].isRevoked) = (.remove, true)
          }
          pending = .remove
        default:
          let change = Self.change(&random, step)
          // A use asks for each change.
          guard !naive.isEmpty else { continue }
          uses.append(change)
          for index in naive.indices { naive[index].change = change.following(naive[index].change) }
          pending = random.chance(0.1) ? .remove : change.following(pending)
        }
        uses.checkInvariants()
        for (use, change, isRevoked) in naive {
          let id = ObjectIdentifier(use)
          #expect(uses.mayChange(id) == !isRevoked, "seed \(seed) step \(step)")
          let (seen, expected) = (uses.change(since: id), change)
          #expect(
            Self.outcomes(seen) == Self.outcomes(expected) && (seen == nil) == (expected == nil),
            "seed \(seed) step \(step): \(String(describing: seen))")
        }
      }
    }
  }
}
