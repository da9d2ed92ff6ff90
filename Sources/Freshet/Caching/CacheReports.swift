/// What a service has logged of its persistent caches, so that it logs nothing twice.
///
/// One for each service: each may have another log, and several may share a cache.
actor CacheReports {
  private var version = 0
  private var parts: Set<String> = []
  /// The sixteen faults that were logged last: a cache has one of each of its four kinds of work at most.
  private var faults: [DiskCacheFault] = []

  /// Notes that responses are not stored because of a part of their requests.
  ///
  /// - Parameters:
  ///   - part: the part that may say who asks.
  ///   - version: the version of the configuration.
  /// - Returns: whether that is new.
  func isNew(_ part: String, inVersion version: Int) -> Bool {
    if version > self.version { (self.version, parts) = (version, []) }
    return parts.insert(part).inserted
  }

  /// Notes an error of a cache.
  ///
  /// - Returns: whether it is another fault than those that were noted before. An error of one entry is, and
  ///   any that is not of a ``DiskCache``.
  func isNew(_ error: any Error) -> Bool {
    guard let fault = (error as? DiskCacheError)?.fault else { return true }
    guard !faults.contains(fault) else { return false }
    faults = faults.suffix(15) + [fault]
    return true
  }
}
