import Foundation

/// What happens to a resource, and what to do about it.
extension ResourceState {
  /// How old content may be, and how soon a failed load may be repeated.
  struct Policy: Equatable {
    var expirationTime: Duration
    var retryTime: Duration
  }

  /// What a load brought.
  enum Answer {
    /// New content; `lifetime` is how long the server says that it stays fresh, where that counts.
    case newData(AnyEntity, lifetime: Duration?)
    /// The server's content is still this one, whose validators were sent.
    case notModified(AnyEntity, AnyEntity.Confirmation, lifetime: Duration?)
    /// The load failed.
    case failure(ResourceError)
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
