import Foundation

extension DiskCacheEntry {
  /// The first bytes of a file, which say how long its head and body are.
  ///
  /// | offset | bytes | field |
  /// | --- | --- | --- |
  /// | 0 | 8 | `FRESHET` and a line feed |
  /// | 8 | 4 | the version of the format: 2 |
  /// | 12 | 4 | the CRC-32 of everything after it, up to the end of the body |
  /// | 16 | 8 | the bytes of the head |
  /// | 24 | 8 | the bytes of the body |
  struct Preamble: Sendable, Hashable {
    static let byteCount = 32
    static let magic = Array("FRESHET\n".utf8)
    static let version: UInt32 = 2
    /// The offset of the first byte that the checksum covers.
    static let checkedOffset = 16

    /// More than the bytes that updates may have, in addition to as many as the entry has.
    private static let updateByteCount: UInt64 = 1 << 20

    let checksum: UInt32
    let headCount: Int
    let bodyCount: Int

    /// Reads the beginning of a file.
    ///
    /// - Parameter fileByteCount: the length of the file, which has to be the one that it states, or longer by
    ///   the updates that come after the entry.
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
      guard head <= rest, body <= rest - head else { throw .length }
      guard rest / 2 <= head + body + Self.updateByteCount else { throw .length }
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

  /// Writes fields one after another.
  struct Writer {
    var bytes: [UInt8] = []

    /// The bytes of an update: the number of the bytes of its fields, their CRC-32, and the fields.
    ///
    /// - Parameter entry: the checksum of the file. That of the update is of it too: an update that was written
    ///   for another file is none.
    static func update(_ fields: UnsafeRawBufferPointer, of entry: UInt32) -> [UInt8] {
      var writer = Writer()
      writer.append(UInt32(clamping: fields.count))
      writer.append(CRC32.value(of: fields, after: entry))
      writer.bytes += fields
      return writer.bytes
    }

    mutating func append(_ integer: some FixedWidthInteger) {
      withUnsafeBytes(of: integer.bigEndian) { bytes += $0 }
    }

    mutating func append(_ text: String) {
      append(UInt32(clamping: text.utf8.count))
      bytes += text.utf8
    }
  }

  /// Reads fields one after another; each may be anything.
  struct Reader {
    private var bytes: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes[...]
    }

    var isAtEnd: Bool { bytes.isEmpty }

    /// What is not read yet.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes) }

    /// Reads an update, see ``Writer/update(_:of:)``.
    mutating func update(of entry: UInt32) throws(Damage) -> Reader {
      let (count, checksum) = (try integer(UInt32.self), try integer(UInt32.self))
      let fields = UnsafeRawBufferPointer(rebasing: try read(Int(count)))
      guard CRC32.value(of: fields, after: entry) == checksum else { throw .checksum }
      return Reader(fields)
    }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(Damage) -> Value {
      let field = try read(MemoryLayout<Value>.size)
      return Value(bigEndian: UnsafeRawBufferPointer(rebasing: field).loadUnaligned(as: type))
    }

    mutating func string() throws(Damage) -> String {
      let field = try read(Int(try integer(UInt32.self)))
      let text = String(decoding: field, as: UTF8.self)
      // What is not UTF-8 was replaced.
      guard text.utf8.elementsEqual(field) else { throw .malformed }
      return text
    }

    private mutating func read(_ count: Int) throws(Damage) -> Slice<UnsafeRawBufferPointer> {
      guard count <= bytes.count else { throw .malformed }
      defer { bytes = bytes.dropFirst(count) }
      return bytes.prefix(count)
    }
  }
}

extension CRC32 {
  /// The checksum of bytes, and of another checksum before them.
  fileprivate static func value(of bytes: UnsafeRawBufferPointer, after other: UInt32) -> UInt32 {
    var checksum = CRC32()
    withUnsafeBytes(of: other.bigEndian) { checksum.update($0) }
    checksum.update(bytes)
    return checksum.value
  }
}
