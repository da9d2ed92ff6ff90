import Foundation
import Testing

@testable import Freshet

@Suite("CRC-32")
struct CRC32Tests {
  private func checksum(_ parts: [UInt8]...) -> UInt32 {
    var crc = CRC32()
    for part in parts { part.withUnsafeBytes { crc.update($0) } }
    return crc.value
  }

  @Test("Known checksums", arguments: [("", 0), ("a", 0xe8b7_be43), ("123456789", 0xcbf4_3926)])
  func known(text: String, value: UInt32) {
    #expect(checksum(Array(text.utf8)) == value)
  }

  @Test("Parts count as the whole, at every place, and as bit by bit")
  func parts() {
    var random = SeededGenerator(seed: 1)
    let bytes = (0..<67).map { _ in UInt8.random(in: 0...255, using: &random) }
    var naive: UInt32 = .max
    for byte in bytes {
      naive ^= UInt32(byte)
      for _ in 0..<8 { naive = naive & 1 == 1 ? naive >> 1 ^ 0xedb8_8320 : naive >> 1 }
    }
    for place in 0...bytes.count {
      #expect(checksum(Array(bytes[..<place]), Array(bytes[place...])) == ~naive)
    }
  }
}
