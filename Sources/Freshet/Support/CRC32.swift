/// The checksum CRC-32 of ISO 3309, as in zlib and PNG: a pure value, the same everywhere.
///
/// It detects every change of up to 32 adjacent bits, and so every changed byte. It protects against
/// accidents and not against an attacker, who could write another checksum just as well.
struct CRC32 {
  private var state: UInt32 = 0xffff_ffff

  /// The checksum of all bytes so far.
  var value: UInt32 { ~state }

  /// Adds more bytes, after the earlier ones.
  ///
  /// - Complexity: O(*n*) in the number of bytes; eight of them are added at once.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var crc = state
    Self.tables.withUnsafeBufferPointer { tables in
      var offset = 0
      while offset + 8 <= bytes.count {
        let word = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let mixed = word ^ UInt64(crc)
        crc = 0
        for byte in 0..<8 {
          let value = Int(truncatingIfNeeded: mixed >> UInt64(8 * byte)) & 0xff
          crc ^= tables[(7 - byte) << 8 | value]
        }
        offset += 8
      }
      for byte in bytes[offset...] {
        crc = tables[Int((crc ^ UInt32(byte)) & 0xff)] ^ crc >> 8
      }
    }
    state = crc
  }

  /// Eight tables of 256: the checksum of each byte with no to seven zero bytes after it.
  private static let tables: [UInt32] = {
    var tables = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xedb8_8320) }
    }
    for index in 256..<(8 * 256) {
      let crc = tables[index - 256]
      tables.append(tables[Int(crc & 0xff)] ^ crc >> 8)
    }
    return tables
  }()
}
