import Foundation

/// Makes gzip members whose deflate blocks are stored, not compressed, RFC 1951 section 3.2.4 and
/// RFC 1952: so that tests need no compressor.
enum StoredGzip {
  /// One member.
  static func member(_ content: [UInt8], blockSize: Int = 1_000) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var rest = content[...]
    repeat {
      let block = rest.prefix(blockSize)
      rest = rest.dropFirst(block.count)
      bytes.append(rest.isEmpty ? 1 : 0)
      bytes += littleEndian(UInt16(block.count)) + littleEndian(~UInt16(block.count)) + block
    } while !rest.isEmpty
    return bytes + littleEndian(checksum(content)) + littleEndian(UInt32(content.count))
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// CRC-32, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = sum & 1 == 1
        sum >>= 1
        if isOdd { sum ^= 0xEDB8_8320 }
      }
    }
    return ~sum
  }
}
