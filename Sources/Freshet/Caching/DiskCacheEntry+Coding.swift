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
        HTTPHeaders.isValidName($0.name) && HTTPHeaders.isOneLine($0.value)
      })
    else { throw NotStorable() }
    var head = Writer()
    head.append(identity.digest)
    head.append(identity.method)
    head.append(identity.url)
    // From here on, the same as in an update.
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
    let parts = try Parts(file)
    var fields = parts.fields
    guard let address = URLText(exactly: try fields.string()) else { throw .malformed }
    let seconds = Double(bitPattern: try fields.integer(UInt64.self))
    guard CachedEntry.dates.contains(seconds) else { throw .malformed }
    let variant = try fields.integer(UInt64.self)
    var response = HTTPResponse(status: Int(try fields.integer(UInt32.self)), address: address)
    guard response.hasValidStatus else { throw .malformed }
    for _ in 0..<(try fields.integer(UInt32.self)) {
      let (name, value) = (try fields.string(), try fields.string())
      guard HTTPHeaders.isValidName(name), HTTPHeaders.isOneLine(value) else {
        throw .malformed
      }
      response.headers.append(value, for: name)
    }
    guard fields.isAtEnd else { throw .malformed }
    response.body = Data(parts.body)
    identity = parts.identity
    entry = CachedEntry(
      response: response, timestamp: Date(timeIntervalSinceReferenceDate: seconds),
      variant: variant)
  }

  /// The update that makes a file one of another entry with the same identity and body.
  ///
  /// - Parameters:
  ///   - file: the whole file.
  ///   - head: what ``encodedHead()`` returns for the other entry.
  ///   - body: its body.
  ///   - limit: the bytes that the file may have.
  /// - Returns: the bytes to append; nil if identity or body are others, or the end of the file is damaged,
  ///   and if the file would have more than `limit`, or the updates more than the entry and a block of the disk.
  static func update(
    of file: UnsafeRawBufferPointer, _ head: [UInt8], _ body: Data, limit: Int
  ) -> [UInt8]? {
    guard let parts = try? Parts(file), parts.end == file.count,
      body.count == parts.body.count,
      body.withUnsafeBytes({ parts.body.elementsEqual($0) })
    else { return nil }
    return head.withUnsafeBytes { head in
      var fields = Reader(UnsafeRawBufferPointer(rebasing: head[Preamble.byteCount...]))
      guard (try? Identity(&fields)) == parts.identity else { return nil }
      let update = Writer.update(fields.rest, of: parts.checksum)
      let entryByteCount = Preamble.byteCount + parts.headCount + parts.body.count
      guard file.count + update.count <= min(2 * entryByteCount + 4_096, limit) else { return nil }
      return update
    }
  }

  /// The parts of a file, whose checksums are right.
  private struct Parts {
    let checksum: UInt32
    let headCount: Int
    let identity: Identity
    let body: UnsafeRawBufferPointer
    /// The fields after the identity: those of the last update.
    private(set) var fields: Reader
    /// The end of the last update. What follows was cut short, by a machine without power.
    private(set) var end: Int

    init(_ file: UnsafeRawBufferPointer) throws(Damage) {
      let preamble = try Preamble(file, fileByteCount: file.count)
      (checksum, headCount) = (preamble.checksum, preamble.headCount)
      let bodyOffset = Preamble.byteCount + preamble.headCount
      end = bodyOffset + preamble.bodyCount
      var computed = CRC32()
      computed.update(UnsafeRawBufferPointer(rebasing: file[Preamble.checkedOffset..<end]))
      guard computed.value == checksum else { throw .checksum }
      fields = Reader(UnsafeRawBufferPointer(rebasing: file[Preamble.byteCount..<bodyOffset]))
      identity = try Identity(&fields)
      body = UnsafeRawBufferPointer(rebasing: file[bodyOffset..<end])
      while true {
        var rest = Reader(UnsafeRawBufferPointer(rebasing: file[end...]))
        guard let update = try? rest.update(of: checksum) else { break }
        fields = update
        end = file.count - rest.rest.count
      }
    }
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
