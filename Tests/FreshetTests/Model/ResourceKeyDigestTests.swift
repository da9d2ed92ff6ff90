import Foundation
import Testing

@testable import Freshet

@Suite("The digest of a resource's identity")
struct ResourceKeyDigestTests {
  private static let url = "https://api.test/items?page=2"

  @Test(
    "It is the same in every process and every version",
    arguments: [
      (
        ResourceKey(url: url), "4d2fabfb554b3b04e511d57c1e644c7e1121538c606a0c64f6b48cef2cc50219"
      ),
      (
        ResourceKey(
          method: .post, url: "https://api.test/search",
          body: Data("{ \"q\" : \"a b\",\n\"n\":[1, 2] }".utf8),
          headers: ["accept-language": "cs", "x-kind": "é"]),
        "a07303f14092a9289f7e1fd5dea59760749f16c3573f60a4ff42599ce1cc9932"
      ),
      (ResourceKey(url: ""), "84c7c46baef4a00199f38a212088cbf03270ff5462d95f4a82592aadd93fcfd5"),
    ])
  func stable(key: ResourceKey, digits: String) {
    #expect(key.digest == digits)
  }

  @Test("Every part of the identity changes it, and where one part ends and the next begins")
  func parts() {
    func key(
      _ method: HTTPMethod = .get, _ url: String = Self.url, _ body: String? = nil,
      _ headers: HTTPHeaders = [:]
    ) -> ResourceKey {
      ResourceKey(method: method, url: url, body: body.map { Data($0.utf8) }, headers: headers)
    }
    let keys = [
      key(), key(.head), key(.post), key(HTTPMethod(rawValue: "GETh"), "ttps://api.test"),
      key(HTTPMethod(rawValue: "GET"), "https://api.test"),
      key(.get, Self.url + "0"), key(.get, "https://api.test/items?page=%32"),
      key(.get, Self.url, "1"), key(.get, Self.url, "[1,2]"), key(.get, Self.url, "[12]"),
      key(.get, Self.url, "[2,1]"), key(.get, Self.url, "[1.0,2]"), key(.get, Self.url + "1"),
      key(.get, Self.url, nil, ["a": "b"]), key(.get, Self.url, nil, ["ab": ""]),
      key(.get, Self.url, nil, ["": "ab"]), key(.get, Self.url, nil, ["a": "b", "c": "d"]),
      key(.get, Self.url, nil, ["a": "bc", "d": ""]), key(.get, Self.url, nil, ["ab": "cd"]),
      key(.get, Self.url, nil, ["a": "b", "a": "c"]), key(.get, Self.url, nil, ["a": "b, c"]),
      key(.get, Self.url, nil, ["c": "d", "a": "b"]), key(.get, Self.url, "1", ["a": "b"]),
      key(.get, Self.url, nil, ["1": ""]), key(.get, Self.url, "\"e\u{301}\""),
      key(.get, Self.url, "\"é\""),
      key(.get, Self.url, nil, ["a": "é"]), key(.get, Self.url, nil, ["a": "e\u{301}"]),
    ]
    #expect(Set(keys.map(\.digest)).count == keys.count)
    #expect(Set(keys).count == keys.count)
  }

  @Test("It is 64 lower-case hexadecimal digits, so it can be the name of a file")
  func form() {
    for length in 0...200 {
      let digest = ResourceKey(url: String(repeating: "é", count: length)).digest
      #expect(digest.utf8.count == 64)
      #expect(digest.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
    }
  }

  @Test("Random keys are equal where their digests are", arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var keys: [String: ResourceKey] = [:]
    for _ in 0..<200 {
      // Few values, so that equal keys come up, and white space that does not count.
      let bodies = [nil, "[1,2]", "[ 1, 2 ]", "[12]", "{\"a\":[]}", " {\"a\" : [ ]}"]
      let body = try random.pick(bodies).map { try JSONText(parsing: $0).bytes }
      let names = ["a", "b", "ab"].filter { _ in random.chance(0.4) }
      let key = ResourceKey(
        method: random.pick([.get, .post]),
        url: random.pick(["https://a.test", "https://a.test/"]),
        body: body,
        headers: HTTPHeaders(names.map { .init(name: $0, value: random.pick(["", "b", "é"])) }))
      if let other = keys.updateValue(key, forKey: key.digest) {
        #expect(other == key, "seed \(seed)")
      }
    }
    #expect(Set(keys.values).count == keys.count, "seed \(seed)")
  }
}
