/// The files of a ``DiskCache`` that are read before they are asked for: a pure value.
///
/// The pages of a list are read in the order in which they were last read or written, each after the one
/// before it is decoded. So if files are requested in the order of their last use, the following ones are
/// read ahead in batches. A request for any other file ends that.
struct DiskReadAhead {
  /// Files that are read at once, by their names.
  typealias Batch = Task<[String: DiskFolder.Reading], Never>

  /// The most files of a batch, and the most bytes of them.
  static let (batchCount, batchByteCount) = (8, 1 << 18)

  /// What is read already or is being read, and was not asked for.
  private var batches: [String: Batch] = [:]
  /// The last file of the last batch; nil if the files are asked for in another order.
  private var last: String?
  /// The last file of all when the files began to be asked for in order: what comes after it was used since.
  private var end: String?
  /// The file that was used next after the one that was asked for last.
  private var expected: String?

  /// A file is asked for.
  ///
  /// - Parameter index: the files in the order of their use before this one.
  /// - Returns: the batch that the file is in, if it is in one; and the files of the next batch, none for now.
  mutating func receive(
    _ name: String, in index: DiskCacheIndex
  ) -> (batch: Batch?, next: [String]) {
    let batch = batches.removeValue(forKey: name)
    if batch == nil {
      batches = [:]
      last = name == expected ? name : nil
      if last == nil { end = index.newestName }
    }
    expected = index.file(after: name)?.name
    guard var position = last, batches.count <= Self.batchCount / 2 else { return (batch, []) }
    var (next, byteCount) = ([String](), 0)
    while next.count < Self.batchCount, position != end, let file = index.file(after: position),
      byteCount + file.byteCount <= Self.batchByteCount
    {
      next.append(file.name)
      byteCount += file.byteCount
      position = file.name
    }
    return (batch, next)
  }

  /// The next batch has begun.
  mutating func append(_ names: [String], _ batch: Batch) {
    for name in names { batches[name] = batch }
    last = names.last
  }

  /// Stops the program if an invariant does not hold. For tests.
  func checkInvariants() {
    let limit = Self.batchCount + Self.batchCount / 2
    precondition(batches.count <= limit, "\(batches.count) files are read ahead")
    precondition(batches.isEmpty || last != nil, "files are read ahead in no order")
  }
}
