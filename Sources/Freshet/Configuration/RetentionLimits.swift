/// How much a service keeps for resources that nobody holds or observes.
///
/// Beyond either limit resources are evicted approximately least recently used first, by second chance
/// (the CLOCK algorithm): the service looks at them in turn, beginning with the one that it has kept for
/// longest, passes each that was used since it was looked at last, and evicts the first that was not. A
/// resource is used when the service hands it out again, when a page link is followed to it, and when it
/// gets an observer. So one that was used only when it was made goes before all that were used again.
///
/// The limits are enforced when a resource is made, when content grows, and when the last observer of a
/// resource leaves. Observed resources, and those that the program holds, stay in any case.
public struct RetentionLimits: Sendable, Hashable {
  /// The most resources: 2,048.
  public var count: Int
  /// The most bytes of content, as its responses' bodies counted: 64 MiB.
  public var bytes: Int

  /// Makes limits.
  public init(count: Int = 2_048, bytes: Int = 64 << 20) {
    self.count = count
    self.bytes = bytes
  }
}
