extension Service {
  /// Waits until the persistent cache has carried out everything that was asked of it so far.
  ///
  /// Responses are written to it after they were shown. A program that ends right after a load calls
  /// this first; one that signs a user out knows afterwards that what was wiped is removed.
  /// What could not be written is in the ``Configuration/log``.
  public func flushCache() async {
    // Changes are carried out one after the other. No resource has this key.
    let key = ResourceKey(gettingPlainly: "")
    await withCheckedContinuation { continuation in
      store.cacheWrites.append(CacheWrites.Write(.remove, of: key) { continuation.resume() })
    }
  }
}
