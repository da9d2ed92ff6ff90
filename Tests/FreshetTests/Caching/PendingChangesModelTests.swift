import Foundation
import Testing

@testable import Freshet
@testable import FreshetTesting

@Suite("Pending changes against a model", .standardTimeLimit)
struct PendingChangesModelTests {
  private final class Use {}

  /// Changes of entries, asked for and carried out at random. `asked` is what all of them come to.
  @Test(
    "A use reads what was asked for, and in the end the cache has that", arguments: [false, true])
  func model(changesValidators: Bool) {
    var found: Set<String> = []
    for seed in UInt64(1)...trialCount(3000) {
      var random = SeededGenerator(seed: seed)
      let keys = (0..<2).map { ResourceKey(gettingPlainly: "https://api.test/\($0)") }
      var pending = PendingCacheChanges()
      var disk: [ResourceKey: CachedEntry] = [:]
      var asked: [ResourceKey: CachedEntry] = [:]
      var work: [(id: Int, key: ResourceKey?, sweep: ((inout [ResourceKey: CachedEntry]) -> Void)?)]
      work = []
      // Of each use: its key, and whether it was revoked.
      var uses: [(use: Use, key: ResourceKey, isRevoked: Bool)] = []
      var script: [String] = []
      func headers(_ etag: Int, _ modified: Int) -> HTTPHeaders {
        var headers: HTTPHeaders = ["ETag": "\"\(etag)\""]
        if modified > 0 { headers["Last-Modified"] = "\(modified)" }
        return headers
      }
      func entry(_ etag: Int, _ variant: UInt64) -> CachedEntry {
        CachedEntry(
          response: HTTPResponse(
            status: 200, headers: headers(etag, 0), body: Data("\(script.count)".utf8),
            url: URL(filePath: "/")), timestamp: Date(timeIntervalSince1970: 0), variant: variant)
      }
      func carryOut() {
        guard !work.isEmpty else { return }
        let next = work.removeFirst()
        script.append("carry out \(next.id)")
        if let key = next.key {
          // With those before it, or not at all.
          if case .change(let change, _)? = pending.work(of: next.id, on: key) {
            disk[key] = change.applied(to: disk[key])
          }
        } else {
          next.sweep?(&disk)
        }
        pending.finish(next.id, of: next.key)
      }
      for _ in 0..<30 {
        let key = random.pick(keys)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
          let use = Use()
          script.append("begin \(key.url.last!)")
          uses.append((use, key, false))
          pending.begin(ObjectIdentifier(use), of: key)
        case 2 where !uses.isEmpty:
          let index = Int.random(in: uses.indices, using: &random)
          script.append("end")
          let ended = uses.remove(at: index)
          pending.end(ObjectIdentifier(ended.use), of: ended.key)
        case 3, 4,
          5 where !uses.isEmpty:
          guard !uses.isEmpty else { continue }
          let index = Int.random(in: uses.indices, using: &random)
          let (use, key, isRevoked) = uses[index]
          let etag = Int.random(in: 1...2, using: &random)
          let modified = changesValidators ? Int.random(in: 0...1, using: &random) : 0
          let variant = UInt64.random(in: 0...1, using: &random)
          let change: CacheChange =
            switch Int.random(in: 0..<5, using: &random) {
            case 0: .remove
            case 1, 2: .store(entry(etag, variant))
            default:
              .confirm(
                CacheChange.Confirmation(
                  validators: HTTPValidators(headers(etag, 0)), variant: variant,
                  headers: headers(etag, modified),
                  date: Date(timeIntervalSince1970: Double(script.count)),
                  newVariant: changesValidators && modified == 1 ? 2 : variant))
            }
          script.append("change \(key.url.last!) \(change)")
          let id = pending.append(change, of: key, by: ObjectIdentifier(use))?.id
          if (id == nil) != isRevoked {
            found.insert("seed \(seed): revoked \(isRevoked), \(script)")
          }
          guard let id else { continue }
          asked[key] = change.applied(to: asked[key])
          work.append((id, key, nil))
        case 6:
          script.append("remove \(key.url.last!)")
          for index in uses.indices where uses[index].key == key { uses[index].isRevoked = true }
          asked[key] = nil
          work.append((pending.remove(key).id, key, nil))
        case 7 where random.chance(0.4):
          let (isAll, url) = (random.chance(0.5), key.url)
          let matches: @Sendable (String) -> Bool = { isAll || $0 == url }
          script.append("remove all, \(keys.map { matches($0.url) })")
          for index in uses.indices where matches(uses[index].key.url) {
            uses[index].isRevoked = true
          }
          asked = asked.filter { !matches($0.key.url) }
          let id = pending.removeAll(where: matches).id
          work.append((id, nil, { disk in disk = disk.filter { !matches($0.key.url) } }))
        default: carryOut()
        }
        pending.checkInvariants()
        for (use, key, _) in uses {
          let change = pending.change(since: ObjectIdentifier(use), of: key)
          var read = disk[key]
          if let change { read = change.applied(to: read) }
          if read != asked[key], found.count < 3 {
            found.insert(
              "seed \(seed): reads \(String(describing: read)), not \(String(describing: asked[key])): \(script)"
            )
          }
        }
      }
      while !work.isEmpty { carryOut() }
      if disk != asked, found.count < 3 {
        found.insert("seed \(seed): the cache differs: \(script)")
      }
      for use in uses { pending.end(ObjectIdentifier(use.use), of: use.key) }
      if !pending.isEmpty { found.insert("seed \(seed): something stays: \(script)") }
      if found.count >= 3 { break }
    }
    for failure in found { Issue.record("\(failure)") }
  }
}
