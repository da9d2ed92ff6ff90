/// What the registry notes of a resource, in the resource: where its entry is, and whether it is used.
struct Registration {
  /// The state that decides whether the registry still keeps a resource.
  enum Retention: UInt8 {
    /// Not used since the registry looked at it last.
    case unused
    /// Used since then.
    case used
    /// Beyond the limits: it lives while something else holds it.
    case released
  }

  /// The position of its entry; negative where it has none.
  private(set) var position: Int32 = -1
  private(set) var retention = Retention.unused

  /// Records the position of its entry.
  mutating func register(at position: Int32) { self.position = position }

  /// Notes a use, by one store.
  ///
  /// - Returns: false if it was released: then the registry has to keep it again.
  @inline(__always)
  mutating func noteUse() -> Bool {
    guard retention != .released else { return false }
    retention = .used
    return true
  }

  /// Records that the registry holds it again.
  mutating func keep() { retention = .used }

  /// Forgets that it was used; a released one stays that.
  mutating func forgetUse() { if retention == .used { retention = .unused } }

  /// Records that the registry holds it no more.
  mutating func release() { retention = .released }
}
