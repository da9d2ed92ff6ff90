import Foundation

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
