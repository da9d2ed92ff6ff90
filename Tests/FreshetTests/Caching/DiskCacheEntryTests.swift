import Foundation
import Testing

@testable import Freshet

@Suite("The file of a cached response")
struct DiskCacheEntryTests {
  private let key = ResourceKey.sample("a?page=1")
  private let entry = CachedEntry.sample(
    Data("{\"a\":1}".utf8), url: "https://api.test/a?page=1",
    headers: ["Content-Type": "application/json", "Link": "</b>; rel=next", "link": "é"])

  @Test("What was written is read, byte for byte")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 7)
    for count in [0, 1, 7, 8, 9, 4_096, 1 << 20] {
      let body = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      for status in [100, 200, 404, 599] {
        let entry = CachedEntry.sample(body, status: status, headers: ["X": "", "x": "y\u{1B}z"])
        let read = try DiskCacheEntry(file: DiskCacheEntry(key, entry).file)
        #expect(read.entry == entry && read.identity == .init(key))
      }
    }
  }

  @Test("The body is written as it is")
  func size() throws {
    let body = Data(repeating: 7, count: 1 << 20)
    let count = try DiskCacheEntry(key, .sample(body)).file.count
    #expect(count < body.count + 400, "\(count)")
  }

  @Test("Request headers and body are not in the file, and identify it")
  func requestSecrets() throws {
    func key(_ token: String, _ body: String) -> ResourceKey {
      ResourceKey(
        method: .post, url: "https://api.test/a", body: Data(body.utf8),
        headers: ["authorization": token])
    }
    let file = try DiskCacheEntry(key("canary-1", #"{"q":"canary-2"}"#), entry).file
    #expect(!String(decoding: file, as: UTF8.self).contains("canary"))
    let identity = try DiskCacheEntry(file: file).identity
    #expect(identity == .init(key("canary-1", #"{"q": "canary-2"}"#)))
    #expect(identity != .init(key("canary-3", #"{"q":"canary-2"}"#)))
    #expect(identity != .init(key("canary-1", #"{"q":"canary-3"}"#)))
  }

  @Test("Every shorter file is refused")
  func truncated() throws {
    let file = try DiskCacheEntry(key, entry).file
    for count in 0..<file.count {
      #expect(throws: DiskCacheEntry.Damage.length) {
        try DiskCacheEntry(file: Array(file[..<count]))
      }
    }
  }

  private func update(_ file: [UInt8], to other: CachedEntry) throws -> [UInt8]? {
    let head = try DiskCacheEntry(key, other).encodedHead()
    return file.withUnsafeBytes {
      DiskCacheEntry.update(of: $0, head, other.response.body, limit: .max)
    }
  }

  @Test("The last update counts, and one that is cut short or changed is none")
  func updates() throws {
    let file = try DiskCacheEntry(key, entry).file
    var (second, third) = (entry, entry)
    second.response.headers = ["ETag": "\"2\"", "Date": "Tue, 24 Nov 2026 10:00:00 GMT"]
    (second.timestamp, second.variant) = (entry.timestamp + 0.25, 7)
    third.response.headers = [:]
    let first = try #require(try update(file, to: second))
    let both = try file + first + #require(try update(file + first, to: third))
    #expect(try DiskCacheEntry(file: both).entry == third)
    for count in file.count..<both.count {
      let known = count < file.count + first.count ? entry : second
      #expect(try DiskCacheEntry(file: Array(both[..<count])).entry == known)
    }
    for place in file.count..<both.count {
      var changed = both
      changed[place] ^= 0x10
      let known = place < file.count + first.count ? entry : second
      #expect(try DiskCacheEntry(file: changed).entry == known)
      // What would follow could not be read.
      #expect(try update(changed, to: third) == nil)
    }
    #expect(try DiskCacheEntry(file: both + [0]).entry == third)
  }

  @Test("An update is of the file alone that it was made for, with that identity and body")
  func otherUpdates() throws {
    let file = try DiskCacheEntry(key, entry).file
    var (other, changed) = (entry, entry)
    other.response.headers = [:]
    changed.response.body[2] ^= 1
    let update = try #require(try update(file, to: other))
    let foreign = try DiskCacheEntry(key, changed).file
    #expect(try DiskCacheEntry(file: foreign + update).entry == changed)
    #expect(try self.update(file, to: changed) == nil)
    #expect(try self.update(file, to: .sample(Data())) == nil)
    #expect(try self.update(DiskCacheEntry(.sample("b"), entry).file, to: entry) == nil)
    #expect(try self.update(Array(file.dropLast()), to: entry) == nil)
  }

  @Test("Every changed byte is noticed")
  func flipped() throws {
    let file = try DiskCacheEntry(key, entry).file
    for place in file.indices {
      for bit in 0..<8 {
        var changed = file
        changed[place] ^= 1 << UInt8(bit)
        #expect(throws: DiskCacheEntry.Damage.self) { try DiskCacheEntry(file: changed) }
      }
    }
  }

  @Test("A later version of the format is named")
  func version() throws {
    var file = try DiskCacheEntry(key, entry).file
    file[11] = 3
    #expect(throws: DiskCacheEntry.Damage.version(3)) { try DiskCacheEntry(file: file) }
    file[0] = 0
    #expect(throws: DiskCacheEntry.Damage.notAnEntry) { try DiskCacheEntry(file: file) }
  }

  @Test("Random changes with a right checksum never stop the program", arguments: 0..<20)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let file = try DiskCacheEntry(key, entry).file
    var readable = 0
    for _ in 0..<500 {
      var changed = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 16..<max(17, changed.count), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: changed.removeSubrange(min(place, changed.count)...)
        case 1: changed.insert(.random(in: 0...255, using: &random), at: min(place, changed.count))
        default:
          if place < changed.count {
            changed[place] = random.pick([0, 1, 0x7f, 0xff, .random(in: 0...255, using: &random)])
          }
        }
      }
      if random.chance(0.7), changed.count >= 32 {
        // Make the lengths agree, so that the fields are read.
        let head = random.chance(0.8) ? 302 : Int.random(in: 0...changed.count, using: &random)
        let rest = changed.count - 32
        let counts = (UInt64(min(head, rest)), UInt64(rest - min(head, rest)))
        withUnsafeBytes(of: counts.0.bigEndian) { changed.replaceSubrange(16..<24, with: $0) }
        withUnsafeBytes(of: counts.1.bigEndian) { changed.replaceSubrange(24..<32, with: $0) }
      }
      if changed.count >= 16 {
        var crc = CRC32()
        changed[16...].withUnsafeBytes { crc.update($0) }
        withUnsafeBytes(of: crc.value.bigEndian) { changed.replaceSubrange(12..<16, with: $0) }
      }
      guard let read = try? DiskCacheEntry(file: changed) else { continue }
      readable += 1
      // What is read can be written.
      #expect(try DiskCacheEntry(file: read.file).entry == read.entry, "seed \(seed)")
    }
    #expect(readable > 0, "seed \(seed): the fields were never read")
  }

  @Test("Random bytes are no entry", arguments: 0..<10)
  func noise(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        random.pick([0, 1, 0xff, UInt8.random(in: 0...255, using: &random)])
      }
      if random.chance(0.5) {
        bytes.replaceSubrange(
          0..<min(12, bytes.count), with: Array("FRESHET\n".utf8) + [0, 0, 0, 2])
      }
      #expect(throws: DiskCacheEntry.Damage.self) { try DiskCacheEntry(file: bytes) }
      _ = bytes.withUnsafeBytes {
        try? DiskCacheEntry.Identity(beginning: $0, fileByteCount: .max)
      }
    }
  }

  @Test("What could not be read again is not written")
  func notStorable() {
    var invalid = [
      CachedEntry.sample(Data(), status: 99), .sample(Data(), date: .nan),
      .sample(Data(), headers: ["a b": "c"]), .sample(Data(), headers: ["a": "b\r\nc"]),
      .sample(Data(), date: 1e300), .sample(Data(), headers: ["a": "b\0"]),
    ]
    invalid.append(entry)
    invalid[6].response.url = URL(string: "a/b") ?? URL(filePath: "/")
    for entry in invalid {
      #expect(throws: DiskCacheEntry.NotStorable.self) { try DiskCacheEntry(key, entry).file }
    }
  }
}
