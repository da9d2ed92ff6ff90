extension Service {
  /// The limits for resources that a service keeps in memory although they are neither held nor observed.
  ///
  /// Beyond a limit, the service evicts approximately the least recently used resources, with the CLOCK
  /// (second-chance) algorithm: it visits resources in turn, beginning with the one that it has kept longest, skips
  /// each that was used since the last visit, and evicts the first that was not. A resource is used when the service
  /// returns it again, when a page link is followed to it, and when an observer is added. A resource that was used
  /// only once is therefore evicted before those that were used again.
  ///
  /// The limits are enforced when a resource is created, when its content changes, when its last observer is removed,
  /// and when one that was beyond the limits is used again. Resources that are observed, or that the program holds, are
  /// never evicted. ``Service/evictUnused()`` evicts all others at once.
  ///
  /// The deallocation of an observer or of its last owner is noticed at the next event of the resource, or when the
  /// service scans the resource. Whenever it enforces the limits, it also scans resources that they do not count, in
  /// turn, until it has found two that are still observed or held. Until then, a resource counts as observed, and
  /// values that the owner kept, such as a closure, are not released: a program that deallocates observers and then
  /// does nothing with the service keeps their resources, whatever the limits. Removing the observers
  /// releases these values at once, and lets the limits count the resources; ``Service/evictUnused()`` releases both.
  public struct RetentionLimits: Sendable, Hashable {
    /// The maximum number of resources; 2,048 by default.
    public var resourceCount: Int
    /// The maximum size of their content in bytes, as the sum of their responses' bodies; 64 MiB by
    /// default.
    public var byteCount: Int

    /// Creates limits.
    public init(resourceCount: Int = 2_048, byteCount: Int = 64 << 20) {
      self.resourceCount = resourceCount
      self.byteCount = byteCount
    }
  }
}
