import Foundation

extension DiskCacheEntry {
  /// The first bytes of a file, which say how long it is.
  ///
  /// | offset | bytes | field |
  /// | --- | --- | --- |
  /// | 0 | 8 | `FRESHET` and a line feed |
  /// | 8 | 4 | the version of the format: 1 |
  /// | 12 | 4 | the CRC-32 of everything after it |
  /// | 16 | 8 | the bytes of the head |
  /// | 24 | 8 | the bytes of the body |
  struct Preamble: Sendable, Hashable {
    static let byteCount = 32
    static let magic = Array("FRESHET\n".utf8)
    static let version: UInt32 = 1
    /// The offset of the first byte that the checksum covers.
    static let checkedOffset = 16

    let checksum: UInt32
    let headCount: Int
    let bodyCount: Int

    /// Reads the beginning of a file.
    ///
    /// - Parameter fileByteCount: the length of the file, which has to be the one that it states.
    init(_ bytes: UnsafeRawBufferPointer, fileByteCount: Int) throws(Damage) {
      // An empty file is an entry whose writing was cut short, by a machine without power.
      guard bytes.count >= Self.byteCount else { throw .length }
      guard bytes.prefix(Self.magic.count).elementsEqual(Self.magic) else { throw .notAnEntry }
      func integer<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type) -> Value {
        Value(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
      }
      let version = integer(at: 8, as: UInt32.self)
      guard version == Self.version else { throw .version(version) }
      checksum = integer(at: 12, as: UInt32.self)
      // Unsigned, and compared before anything is added: any bits may be here.
      let rest = UInt64(max(fileByteCount, Self.byteCount) - Self.byteCount)
      let head = integer(at: 16, as: UInt64.self)
      let body = integer(at: 24, as: UInt64.self)
      guard head <= rest, body == rest - head else { throw .length }
      headCount = Int(head)
      bodyCount = Int(body)
    }

    /// The bytes of a preamble.
    static func bytes(headCount: Int, bodyCount: Int, checksum: UInt32) -> [UInt8] {
      var writer = Writer()
      writer.bytes += magic
      writer.append(version)
      writer.append(checksum)
      writer.append(UInt64(headCount))
      writer.append(UInt64(bodyCount))
      return writer.bytes
    }
  }

  /// Writes fields one after the other.
  struct Writer {
    var bytes: [UInt8] = []

    mutating func append(_ integer: some FixedWidthInteger) {
      withUnsafeBytes(of: integer.bigEndian) { bytes += $0 }
    }

    mutating func append(_ text: String) {
      append(UInt32(clamping: text.utf8.count))
      bytes += text.utf8
    }
  }

  /// Reads fields one after the other; each may be anything.
  struct Reader {
    private var bytes: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes[...]
    }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(Damage) -> Value {
      let field = try take(MemoryLayout<Value>.size)
      return Value(bigEndian: UnsafeRawBufferPointer(rebasing: field).loadUnaligned(as: type))
    }

    mutating func string() throws(Damage) -> String {
      let field = try take(Int(try integer(UInt32.self)))
      let text = String(decoding: field, as: UTF8.self)
      // What is not UTF-8 was replaced.
      guard text.utf8.elementsEqual(field) else { throw .malformed }
      return text
    }

    private mutating func take(_ count: Int) throws(Damage) -> Slice<UnsafeRawBufferPointer> {
      guard count <= bytes.count else { throw .malformed }
      defer { bytes = bytes.dropFirst(count) }
      return bytes.prefix(count)
    }
  }
}
