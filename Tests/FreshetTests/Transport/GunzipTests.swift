#if os(Linux)
  import Foundation
  import Testing

  @testable import Freshet

  @Suite("Decoding gzip")
  struct GunzipTests {
    /// `hello`, compressed.
    static let hello = Array(
      Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA==") ?? Data())
    static let text = Array("The quick brown fox".utf8)

    struct NoZlib: Error {}

    /// Decodes pieces; `limit` is how many bytes of the result are accepted.
    func decode(_ pieces: [[UInt8]], limit: Int = .max) throws -> [UInt8] {
      guard let zlib = try CurlLibrary.system.get().zlib, let gunzip = Gunzip(zlib) else {
        throw NoZlib()
      }
      struct TooLarge: Error {}
      var result: [UInt8] = []
      for piece in pieces {
        try piece.withUnsafeBytes { bytes in
          try gunzip.decode(bytes) { part in
            result += part
            if result.count > limit { throw TooLarge() }
          }
        }
      }
      try gunzip.finish()
      return result
    }

    @Test("gives the same for pieces of any size", arguments: [1, 2, 3, 7, 100, 100_000])
    func pieces(size: Int) throws {
      let content = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
      let whole = StoredGzip.member(content)
      let pieces = stride(from: 0, to: whole.count, by: size).map {
        Array(whole[$0..<min($0 + size, whole.count)])
      }
      #expect(try decode(pieces) == content)
      #expect(try decode([Self.hello]) == Array("hello".utf8))
    }

    @Test("decodes several members, empty ones among them")
    func members() throws {
      let members = [Self.text, [], Array("hello".utf8)].map { StoredGzip.member($0) }
      #expect(try decode([members.joined() + Self.hello]) == Self.text + Array("hellohello".utf8))
      #expect(try decode(members) == Self.text + Array("hello".utf8))
    }

    @Test("is an empty body where there is nothing to decode")
    func empty() throws {
      #expect(try decode([]).isEmpty)
      #expect(try decode([[], []]).isEmpty)
    }

    @Test("is truncated at every point but the end of a member")
    func truncated() throws {
      for member in [StoredGzip.member(Self.text, blockSize: 5), Self.hello] {
        for length in 0..<member.count {
          if length > 0 {
            #expect(throws: Gunzip.Corruption.truncated, "\(length)") {
              try decode([Array(member[..<length])])
            }
            #expect(throws: Gunzip.Corruption.truncated, "\(length)") {
              try decode([member + member[..<length]])
            }
          }
        }
      }
    }

    @Test("with any bit flipped, is an error or the same content")
    func flipped() throws {
      for (member, content) in [
        (StoredGzip.member(Self.text, blockSize: 5), Self.text), (Self.hello, Array("hello".utf8)),
      ] {
        var errors = 0
        for bit in 0..<(8 * member.count) {
          var flipped = member
          flipped[bit / 8] ^= 1 << (bit % 8)
          do {
            let result = try decode([flipped])
            #expect(result == content, "bit \(bit)")
          } catch is Gunzip.Corruption {
            errors += 1
          }
        }
        // The others are in fields of the header and in padding, which say nothing of the content.
        #expect(errors > 5 * member.count)
      }
    }

    @Test(
      "refuses what follows the last member",
      arguments: [[0], [0x1F], [1, 2, 3], Array("trailing".utf8)])
    func garbage(bytes: [UInt8]) {
      #expect(throws: Gunzip.Corruption.self) { try decode([Self.hello + bytes]) }
      #expect(throws: Gunzip.Corruption.self) { try decode([Self.hello, bytes]) }
    }

    @Test("refuses what is not gzip", arguments: ["ok", "{\"items\": []}", "\u{1F}\u{8B}x"])
    func plain(text: String) {
      #expect(throws: Gunzip.Corruption.self) { try decode([Array(text.utf8)]) }
    }

    @Test("stops where the receiver throws")
    func capped() throws {
      let member = StoredGzip.member([UInt8](repeating: 0, count: 1_000_000), blockSize: 60_000)
      #expect(throws: (any Error).self) { try decode([member], limit: 100_000) }
      #expect(try decode([member], limit: 1_000_000).count == 1_000_000)
    }

    @Test(
      "of random members in random pieces, changed at random, is right or an error",
      arguments: 1...3)
    func random(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<300 {
        var content: [UInt8] = []
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let part = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
          }
          content += part
          bytes += StoredGzip.member(part, blockSize: Int.random(in: 1...200, using: &generator))
        }
        if generator.chance(0.5) {
          let index = Int.random(in: bytes.indices, using: &generator)
          if generator.chance(0.5) { bytes.remove(at: index) } else { bytes[index] ^= 0x55 }
        }
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
          let piece = rest.prefix(Int.random(in: 1...400, using: &generator))
          pieces.append(Array(piece))
          rest = rest.dropFirst(piece.count)
        }
        do {
          #expect(try decode(pieces) == content, "seed \(seed)")
        } catch is Gunzip.Corruption {}
      }
    }
  }
#endif
