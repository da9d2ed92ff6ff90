/// The owners of an observer, held weakly. Nearly always there is one.
final class ObserverOwners {
  private weak var first: AnyObject?
  private var others: [Weak<AnyObject>] = []

  init(_ first: AnyObject) {
    self.first = first
  }

  var isAnyAlive: Bool {
    first != nil || (!others.isEmpty && others.contains { $0.object != nil })
  }

  func contains(_ owner: AnyObject) -> Bool {
    first === owner || others.contains { $0.object === owner }
  }

  func append(_ owner: AnyObject) {
    if first == nil {
      first = owner
    } else {
      keepOthers { _ in true }
      others.append(Weak(owner))
    }
  }

  func remove(_ owner: AnyObject) {
    if first === owner { first = nil }
    if !others.isEmpty { keepOthers { $0 !== owner } }
  }

  /// Filters references that are held until the others are complete: one may be the last one, and
  /// deallocating its object may call this again.
  private func keepOthers(where isKept: (AnyObject) -> Bool) {
    let held = others.compactMap(\.object)
    others = held.filter(isKept).map { Weak($0) }
    withExtendedLifetime(held) {}
  }
}
