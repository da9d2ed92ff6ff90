/// What a cache has failed at since it last succeeded, so that one fault of a disk is reported once.
struct DiskCacheFailures {
  /// What can fail for all entries alike.
  enum Kind {
    case opening, reading, writing
  }

  /// The last failure of each kind, as its `errno`.
  private var codes: [Kind: Int32] = [:]

  /// The error, which says whether it repeats the one before.
  mutating func noting(_ error: DiskCacheError, of kind: Kind) -> DiskCacheError {
    // Others are about one entry.
    guard case .system(_, let code) = error.reason else { return error }
    var error = error
    error.isRepeated = codes.values.contains(code)
    codes[kind] = code
    return error
  }

  mutating func succeeded(_ kind: Kind) {
    codes[kind] = nil
  }
}
