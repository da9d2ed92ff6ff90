import Foundation
import Testing

@testable import Freshet

extension CachedEntry {
  /// A response with this body and an entity tag.
  static func sample(
    _ body: Data, url: String = "https://api.test/a", status: Int = 200, headers: HTTPHeaders = [:],
    date: Double = 700_000_000.125
  ) -> CachedEntry {
    var headers = headers
    headers.append("\"\(body.count)\"", for: "ETag")
    return CachedEntry(
      response: HTTPResponse(
        status: status, headers: headers, body: body, url: URL(string: url) ?? URL(filePath: "/")),
      timestamp: Date(timeIntervalSinceReferenceDate: date),
      variant: UInt64(body.count) &* 0x9E37_79B9_7F4A_7C15)
  }

  static func sample(_ text: String, headers: HTTPHeaders = [:]) -> CachedEntry {
    sample(Data(text.utf8), headers: headers)
  }

  var text: String { String(decoding: response.body, as: UTF8.self) }
}

extension ResourceKey {
  static func sample(_ path: String) -> ResourceKey {
    ResourceKey(url: "https://api.test/\(path)")
  }

  var fileName: String { DiskFolder.name(digest) }
}

extension DiskCacheEntry {
  init(_ key: ResourceKey, _ entry: CachedEntry) {
    self.init(identity: Identity(key), entry: entry)
  }

  /// The whole file.
  var file: [UInt8] {
    get throws { try encodedHead() + entry.response.body }
  }

  init(file: [UInt8]) throws {
    self = try file.withUnsafeBytes { try DiskCacheEntry(reading: $0) }
  }
}

extension DiskCache {
  /// Stores, removes or reads one of eight entries. Their bodies say whose they are: one that is read has to be whole.
  func useAtRandom(_ random: inout SeededGenerator) async throws {
    let key = ResourceKey.sample("\(Int.random(in: 0..<8, using: &random))")
    switch Int.random(in: 0..<12, using: &random) {
    case 0: try await remove(key)
    case 1: try await removeAll { $0.hasSuffix("3") }
    case 2 where random.chance(0.05): try await removeAll()
    case 3:
      // As in a process of its own.
      let other = DiskCache(directory: directory, maximumByteCount: maximumByteCount)
      _ = try await other.entry(for: key)
    case 4..<8:
      let size = Int.random(in: 0..<600, using: &random)
      let body = Data("\(key.url) ".utf8) + Data(repeating: UInt8(size % 251), count: size)
      try await store(.sample(body), for: key)
    default:
      guard let body = try await entry(for: key)?.response.body else { return }
      let size = body.count - key.url.utf8.count - 1
      try #require(
        body.starts(with: Data("\(key.url) ".utf8))
          && body.suffix(size).allSatisfy { $0 == UInt8(size % 251) })
    }
  }
}
