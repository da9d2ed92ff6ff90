extension Service {
  /// The limits for the resources that a service keeps in memory though they are neither held nor
  /// observed.
  ///
  /// Beyond a limit, resources are evicted approximately in the order least recently used first, by
  /// second chance (the CLOCK algorithm): the service visits them in turn, beginning with the one
  /// that it has kept for the longest time, passes over each that was used since the last visit,
  /// and evicts the first that was not. A resource is used when the service returns it again, when
  /// a page link is followed to it, and when an observer is added. So a resource that was used only
  /// once is evicted before those that were used again.
  ///
  /// The limits are enforced when a resource is made, when its content becomes larger, and when its
  /// last observer is removed. Resources that are observed, or that the program holds, are never
  /// evicted. ``Service/evictUnused()`` evicts all others at once.
  ///
  /// If an observer or its last owner is deallocated, the service notices that at the next event of
  /// the resource, those of a load included, or when it scans the resource. Each new resource makes
  /// it scan, in turn, resources that the limits do not count, until it has found two that are still
  /// observed or held. Until then what the owner kept, such as a closure, is not released.
  public struct RetentionLimits: Sendable, Hashable {
    /// The maximum number of resources; 2,048 by default.
    public var count: Int
    /// The maximum size of their content in bytes, as the sum of their responses' bodies; 64 MiB by
    /// default.
    public var bytes: Int

    /// Creates limits.
    public init(count: Int = 2_048, bytes: Int = 64 << 20) {
      self.count = count
      self.bytes = bytes
    }
  }
}
