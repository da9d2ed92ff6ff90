/// The observers of one subject, in the order in which they were added.
///
/// The owner of the list posts events to the store's queue and calls `tell` from there, so one
/// delivery at a time walks the list, while observers may be added and removed under it.
struct ObserverList<Notice> {
  private var observations: [Observation<Notice>] = []
  /// Where each object observer is, kept only once the list is long enough for that to pay.
  private var byIdentity: [ObjectIdentifier: Observation<Notice>]?
  private var removedCount = 0
  /// The length at which it is worth looking for observers that have gone.
  private var crowded = shortList

  private static var shortList: Int { 16 }

  var isEmpty: Bool { observations.count == removedCount }
  /// How many are listed, those that were removed but not yet swept included: the bound for a walk.
  var endIndex: Int { observations.count }

  subscript(index: Int) -> Observation<Notice> { observations[index] }

  mutating func append(_ observation: Observation<Notice>) {
    observations.append(observation)
    if byIdentity != nil {
      if let identity = observation.identity { byIdentity?[identity] = observation }
    } else if observations.count > Self.shortList {
      byIdentity = [:]
      for each in observations where !each.isRemoved {
        if let identity = each.identity { byIdentity?[identity] = each }
      }
    }
  }

  /// The observers that have gone by themselves, if the list has become so long that they might be
  /// many; to be removed by the caller. Without this, a subject that never has an event would collect
  /// them for ever.
  ///
  /// - Complexity: amortised O(1) for each observer added.
  mutating func goneWhenCrowded() -> [Observation<Notice>] {
    guard observations.count >= crowded else { return [] }
    let gone = observations.filter { !$0.isRemoved && !$0.isAlive }
    crowded = max(Self.shortList, 2 * (observations.count - removedCount - gone.count))
    return gone
  }

  /// The observation of that object, if it is still observing.
  ///
  /// - Complexity: O(1).
  func observation(of identity: ObjectIdentifier) -> Observation<Notice>? {
    guard let byIdentity else {
      return observations.first { !$0.isRemoved && $0.identity == identity }
    }
    return byIdentity[identity]
  }

  /// Takes an observation out: it hears nothing from now on. Its place is swept later.
  mutating func remove(_ observation: Observation<Notice>) {
    guard !observation.isRemoved else { return }
    if let identity = observation.identity { byIdentity?[identity] = nil }
    observation.phase = .removed
    removedCount += 1
  }

  /// Sweeps the places of removed observations, when they are enough to pay for it.
  ///
  /// Not to be called while a delivery walks the list.
  ///
  /// - Complexity: amortised O(1) for each removal.
  mutating func sweep() {
    guard removedCount > 0, removedCount * 2 >= observations.count else { return }
    observations.removeAll { $0.isRemoved }
    removedCount = 0
  }

  /// The observations owned by that object.
  func owned(by owner: AnyObject) -> [Observation<Notice>] {
    observations.filter { !$0.isRemoved && $0.isOwned(by: owner) }
  }
}
