import Foundation

/// What happens to a resource, and what to do about it.
extension ResourceState {
  /// How old content may be, and how soon a failed load may be repeated.
  struct Policy: Equatable {
    var expirationTime: Duration
    var retryTime: Duration
  }

  /// What to do about what happened.
  enum Reaction: Equatable {
    case nothing
    /// Give the caller this load, which is in flight.
    case join(LoadID)
    /// Begin this load, with the validators of `data` where it has some, and tell the observers.
    case begin(LoadID)
    /// Tell the observers.
    case tell(ResourceEvent)
    /// Stop loads, and perhaps more.
    case abandon(Abandoning)
  }

  /// What to do, in the order of the members, where loads are given up.
  struct Abandoning: Equatable {
    /// Tell the observers that every load was given up.
    var isLast = false
    /// These loads do not count any more; stop them.
    var loads: [LoadID] = []
    /// Remove the entry of the persistent cache.
    var forgets = false
    /// Tell the observers.
    var event: ResourceEvent?
  }
}
