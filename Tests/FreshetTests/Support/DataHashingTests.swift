import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Hashing of bodies") struct DataHashingTests {
  /// Queries that differ after their first 80 bytes, and have the same length.
  private static let bodies = (100..<200).map {
    #"{"query":"\#(String(repeating: "x", count: 100))","after":\#($0)}"#
  }

  @Test("Values with different bodies have different hashes, whatever the first 80 bytes are")
  func allBytes() throws {
    let url = try #require(URL(string: "https://api.test/graphql"))
    func count(_ make: (Data) throws -> some Hashable) rethrows -> Int {
      Set(try Self.bodies.map { try make(Data($0.utf8)).hashValue }).count
    }
    #expect(count { HTTPRequest(method: .post, url: url, body: $0) } == 100)
    #expect(count { HTTPResponse(status: 200, body: $0, url: url) } == 100)
    #expect(count { ResourceKey(method: .post, url: "https://api.test/graphql", body: $0) } == 100)
    #expect(try count { try JSONText(parsing: $0) } == 100)
  }
}
