import Foundation

extension DiskCacheEntry {
  /// The error of an entry that is not written, because it could not be read again.
  struct NotStorable: Error {}

  /// The bytes of the file before the body, which follows as it is.
  func encodedHead() throws(NotStorable) -> [UInt8] {
    let response = entry.response
    let seconds = entry.timestamp.timeIntervalSinceReferenceDate
    let fields = response.headers.fields
    guard CachedEntry.dates.contains(seconds), response.hasValidStatus,
      URLText(exactly: response.urlString) != nil,
      fields.allSatisfy({
        HTTPHeaders.isValidName($0.name) && HTTPHeaders.isValidValue($0.value)
      })
    else { throw NotStorable() }
    var head = Writer()
    head.append(identity.digest)
    head.append(identity.method)
    head.append(identity.url)
    head.append(response.urlString)
    head.append(seconds.bitPattern)
    head.append(entry.variant)
    head.append(UInt32(response.status))
    head.append(UInt32(fields.count))
    for field in fields {
      head.append(field.name)
      head.append(field.value)
    }
    let counts = (head: head.bytes.count, body: response.body.count)
    let unchecked = Preamble.bytes(headCount: counts.head, bodyCount: counts.body, checksum: 0)
    var checksum = CRC32()
    unchecked[Preamble.checkedOffset...].withUnsafeBytes { checksum.update($0) }
    head.bytes.withUnsafeBytes { checksum.update($0) }
    response.body.withUnsafeBytes { checksum.update($0) }
    return Preamble.bytes(
      headCount: counts.head, bodyCount: counts.body, checksum: checksum.value) + head.bytes
  }

  /// Reads a whole file. Whatever its bytes are, the result is what was written, or an error.
  init(reading file: UnsafeRawBufferPointer) throws(Damage) {
    let preamble = try Preamble(file, fileByteCount: file.count)
    var checksum = CRC32()
    checksum.update(UnsafeRawBufferPointer(rebasing: file[Preamble.checkedOffset...]))
    guard checksum.value == preamble.checksum else { throw .checksum }
    let bodyOffset = Preamble.byteCount + preamble.headCount
    var head = Reader(UnsafeRawBufferPointer(rebasing: file[Preamble.byteCount..<bodyOffset]))
    identity = try Identity(&head)
    guard let address = URLText(exactly: try head.string()) else { throw .malformed }
    let seconds = Double(bitPattern: try head.integer(UInt64.self))
    guard CachedEntry.dates.contains(seconds) else { throw .malformed }
    let variant = try head.integer(UInt64.self)
    var response = HTTPResponse(status: Int(try head.integer(UInt32.self)), address: address)
    guard response.hasValidStatus else { throw .malformed }
    for _ in 0..<(try head.integer(UInt32.self)) {
      let (name, value) = (try head.string(), try head.string())
      guard HTTPHeaders.isValidName(name), HTTPHeaders.isValidValue(value) else {
        throw .malformed
      }
      response.headers.append(value, for: name)
    }
    guard head.isAtEnd else { throw .malformed }
    response.body = Data(UnsafeRawBufferPointer(rebasing: file[bodyOffset...]))
    entry = CachedEntry(
      response: response, timestamp: Date(timeIntervalSinceReferenceDate: seconds),
      variant: variant)
  }

}

extension DiskCacheEntry.Identity {
  /// Reads the first fields of a head.
  init(_ head: inout DiskCacheEntry.Reader) throws(DiskCacheEntry.Damage) {
    self.init(digest: try head.string(), method: try head.string(), url: try head.string())
  }

  /// Reads the beginning of a file, up to the end of its head, unchecked.
  init(
    beginning file: UnsafeRawBufferPointer, fileByteCount: Int
  ) throws(DiskCacheEntry.Damage) {
    let preamble = try DiskCacheEntry.Preamble(file, fileByteCount: fileByteCount)
    let rest = file.dropFirst(DiskCacheEntry.Preamble.byteCount).prefix(preamble.headCount)
    var head = DiskCacheEntry.Reader(UnsafeRawBufferPointer(rebasing: rest))
    try self.init(&head)
  }
}

extension HTTPResponse {
  fileprivate var hasValidStatus: Bool { (100...599).contains(status) }
}
