/// Reads the files of a persistent cache: any bytes, and files whose lengths and checksum are right
/// whatever the fields are.
func fuzzCacheEntry(_ input: FuzzInput) {
  input.bytes.withUnsafeBytes { bytes in
    _ = try? DiskCacheEntry(reading: bytes)
    _ = try? DiskCacheEntry.Identity(beginning: bytes, fileByteCount: bytes.count)
  }
  // The same bytes as the fields of a file that is whole.
  var input = input
  let headCount = min(Int(input.integer(UInt16.self)), input.bytes.count)
  let fields = input.bytes
  func file(checksum: UInt32) -> [UInt8] {
    DiskCacheEntry.Preamble.bytes(
      headCount: headCount, bodyCount: fields.count - headCount, checksum: checksum) + fields
  }
  var crc = CRC32()
  file(checksum: 0)[DiskCacheEntry.Preamble.checkedOffset...].withUnsafeBytes { crc.update($0) }
  let whole = file(checksum: crc.value)
  guard let read = whole.withUnsafeBytes({ try? DiskCacheEntry(reading: $0) }) else { return }
  guard let head = try? read.encodedHead() else { fail("an entry that was read is not storable") }
  let again = head + read.entry.response.body
  let second = again.withUnsafeBytes { try? DiskCacheEntry(reading: $0) }
  require(
    second?.entry == read.entry && second?.identity == read.identity,
    "what was read is written as another entry")
}
