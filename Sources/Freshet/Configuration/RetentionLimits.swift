/// How much a service keeps for resources that nobody holds or observes.
///
/// Beyond either limit the least recently used go first. Observed resources, and those that the
/// program holds, stay in any case.
public struct RetentionLimits: Sendable, Hashable {
  /// The most resources: 2,048.
  public var count: Int
  /// The most bytes of content, as its answers' bodies counted: 64 MiB.
  public var bytes: Int

  /// Makes limits.
  public init(count: Int = 2_048, bytes: Int = 64 << 20) {
    self.count = count
    self.bytes = bytes
  }
}
