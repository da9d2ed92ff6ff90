import Foundation
import Testing

@testable import Freshet
@testable import FreshetTesting

@Suite("Changes that wait for a slow cache", .standardTimeLimit)
struct PendingChangesLimitTests {
  private final class Use {}

  private struct Turn {
    let id: Int
    let key: ResourceKey?
  }

  private static func entry(_ text: String) -> CachedEntry {
    CachedEntry(
      response: HTTPResponse(
        status: 200, headers: ["ETag": "\"1\""], body: Data(text.utf8), url: URL(filePath: "/")),
      timestamp: Date(timeIntervalSince1970: 0))
  }

  /// Changes are asked for and carried out at random; one of them may be under way meanwhile. `asked` is what
  /// all of them come to.
  @Test("Within the limits nothing is lost; beyond them only responses are, and never a removal")
  func model() {
    var found: Set<String> = []
    var losses = 0
    for seed in UInt64(1)...trialCount(3000) where found.count < 3 {
      var random = SeededGenerator(seed: seed)
      let keys = (0..<6).map { ResourceKey(gettingPlainly: "https://api.test/\($0)") }
      let limits = PendingCacheChanges.Limits(
        byteCount: random.pick([0, 150, 400, .max]),
        keyByteCount: random.pick([0, 4 * keys[0].byteCount, .max]),
        sweepCount: random.pick([0, 1, 3]))
      var pending = PendingCacheChanges(limits: limits)
      var disk: [ResourceKey: CachedEntry] = [:]
      var asked: [ResourceKey: CachedEntry] = [:]
      var turns: [Turn] = []
      var running: (turn: Turn, work: PendingCacheChanges.Work)?
      var uses: [(use: Use, key: ResourceKey)] = []
      var hasLost = false
      var script = ["\(limits)"]
      func accept(_ accepted: PendingCacheChanges.Accepted, _ key: ResourceKey?) {
        turns.removeAll { accepted.superseded.contains($0.id) }
        turns.append(Turn(id: accepted.id, key: key))
        if let loss = accepted.loss {
          script.append("\(loss)")
          hasLost = true
          losses += 1
        }
      }
      func begin() {
        guard running == nil, !turns.isEmpty else { return }
        let turn = turns.removeFirst()
        script.append("begin \(turn.id)")
        if let work = pending.work(of: turn.id, on: turn.key) { running = (turn, work) }
      }
      func finish() {
        guard let (turn, work) = running else { return }
        script.append("finish \(turn.id)")
        switch work {
        case .change(let change, let key): disk[key] = change.applied(to: disk[key])
        case .removeAll(let matches):
          disk = disk.filter { !(matches?($0.key.url) ?? true) }
        }
        pending.finish(turn.id, of: turn.key)
        running = nil
      }
      func check(_ entry: CachedEntry?, _ key: ResourceKey, _ what: String) {
        guard entry != asked[key], !hasLost || entry != nil else { return }
        found.insert(
          "seed \(seed): \(what) \(String(describing: entry)), not "
            + "\(String(describing: asked[key])): \(script)")
      }
      for step in 0..<40 {
        let key = random.pick(keys)
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1:
          let use = Use()
          script.append("use \(key.url.last!)")
          uses.append((use, key))
          pending.begin(ObjectIdentifier(use), of: key)
        case 2..<6:
          let use = Use()
          pending.begin(ObjectIdentifier(use), of: key)
          defer { pending.end(ObjectIdentifier(use), of: key) }
          let change: CacheChange =
            random.chance(0.7)
            ? .store(Self.entry(String(repeating: "\(step % 10)", count: 50 * (step % 3))))
            : .confirm(
              CacheChange.Confirmation(
                validators: HTTPValidators(["ETag": "\"1\""]),
                headers: ["ETag": "\"1\"", "Age": "\(step)"],
                date: Date(timeIntervalSince1970: Double(step))))
          script.append("\(change) \(key.url.last!)")
          guard let accepted = pending.append(change, of: key, by: ObjectIdentifier(use)) else {
            found.insert("seed \(seed): not accepted: \(script)")
            continue
          }
          asked[key] = change.applied(to: asked[key])
          accept(accepted, key)
        case 6:
          script.append("remove \(key.url.last!)")
          asked[key] = nil
          accept(pending.remove(key), key)
        case 7:
          script.append("remove all of \(key.url.last!)")
          asked[key] = nil
          let url = key.url
          accept(pending.removeAll { $0 == url }, nil)
        case 8 where random.chance(0.2):
          script.append("remove all")
          asked = [:]
          accept(pending.removeAll(where: nil), nil)
        case 9: begin()
        default: finish()
        }
        pending.checkInvariants()
        if turns.count > keys.count + max(limits.sweepCount, 1) {
          found.insert("seed \(seed): \(turns.count) wait: \(script)")
        }
        for (use, key) in uses {
          let change = pending.change(since: ObjectIdentifier(use), of: key)
          check(change.map { $0.applied(to: disk[key]) } ?? disk[key], key, "reads")
        }
      }
      for (use, key) in uses { pending.end(ObjectIdentifier(use), of: key) }
      while running != nil || !turns.isEmpty {
        finish()
        begin()
      }
      for key in keys { check(disk[key], key, "the cache has") }
      if !pending.isEmpty || pending.byteCount != 0 || pending.keyByteCount != 0 {
        found.insert("seed \(seed): something stays: \(script)")
      }
    }
    for failure in found { Issue.record("\(failure)") }
    #expect(losses > 100, "the limits were never reached")
  }

  @Test("Responses beyond the limit are not stored, and what they would have replaced is removed")
  func bytes() async throws {
    let (cache, clock) = (HeldCache(), ManualClock())
    let failures = Locked<[String]>([])
    let work = CacheWork(for: clock) { error in
      failures.withLock { $0.append(Redaction.nature(of: error)) }
    }
    let keys = (0..<40).map { ResourceKey(gettingPlainly: "https://api.test/\($0)") }
    for key in keys { await cache.put(Self.entry("old"), for: key) }
    await cache.hold(.store)
    // One copy of the bytes: what counts is what they would take from different servers.
    let large = Self.entry(String(repeating: "x", count: 4 << 20))
    for key in keys { CacheUse(of: key, in: cache, work).append(.store(large)) }
    await cache.begun(.store)
    // A use of what was not stored finds nothing, rather than what is older.
    let last = CacheUse(of: keys[39], in: cache, work)
    #expect(try await last.entry() == nil)
    await cache.release()
    await CacheQueue.shared.flush(cache)
    let entries = await cache.entries
    #expect(entries.values.allSatisfy { $0.response.body.count == 4 << 20 })
    #expect((15...16).contains(entries.count), "64 MiB")
    await clock.state.until { $0.work == 0 }
    let messages = failures.withLock { $0 }
    #expect(messages.count == keys.count - entries.count)
    #expect(messages.allSatisfy { $0.contains("this response is not stored") })
  }

  @Test("Of the changes of one entry, one waits")
  func oneEntry() async throws {
    let (cache, clock) = (HeldCache(), ManualClock())
    let work = CacheWork(for: clock) { Issue.record($0) }
    let key = ResourceKey(gettingPlainly: "https://api.test/a")
    await cache.hold(.store)
    for number in 0..<1_000 {
      CacheUse(of: key, in: cache, work).append(.store(Self.entry("\(number)")))
      if number == 0 { await cache.begun(.store) }
    }
    await clock.state.until { $0.work <= 2 }
    await cache.release()
    await CacheQueue.shared.flush(cache)
    #expect(await cache.texts(stored: key) == ["0", "999"])
    await clock.state.until { $0.work == 0 }
  }

  @Test("Of removals of many entries, those before the removal of all do not wait")
  func sweeps() async throws {
    let (cache, clock) = (HeldCache(), ManualClock())
    let work = CacheWork(for: clock) { Issue.record($0) }
    let key = ResourceKey(gettingPlainly: "https://api.test/a")
    await cache.put(Self.entry("old"), for: key)
    await cache.hold(.remove)
    CacheQueue.shared.remove(key, from: cache, work)
    await cache.begun(.remove)
    for _ in 0..<100 {
      CacheQueue.shared.removeAll(from: cache, where: { $0.hasSuffix("b") }, work)
    }
    CacheQueue.shared.removeAll(from: cache, where: nil, work)
    await clock.state.until { $0.work <= 2 }
    await cache.release()
    await CacheQueue.shared.flush(cache)
    #expect(await cache.entries.isEmpty)
    #expect(await cache.operations == [.remove, .removeAll])
  }
}
