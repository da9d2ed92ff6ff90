extension Service {
  /// Waits until the persistent caches have stored and removed all that they were asked to so far.
  ///
  /// Responses are written after they were shown. A program that ends right after a load calls this
  /// first; one that signs a user out knows afterwards that what was wiped is removed.
  /// What could not be written is in the ``Configuration/log``.
  public func flushCache() async {
    for (cache, _) in store.caches { await CacheQueue.shared.flush(cache) }
  }
}
