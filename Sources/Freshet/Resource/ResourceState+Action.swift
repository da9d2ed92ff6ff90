import Foundation

/// The policy that a state depends on, what is asked of it, and the actions that it returns to its resource.
extension ResourceState {
  /// How old content may be, and how soon a failed load may be repeated.
  struct Policy: Equatable {
    var freshnessLifetime: Duration
    var failureCooldown: Duration
    /// Whether the data is the response to a request with other values for what `Vary` names.
    var isOtherVariant = false
    /// Whether the last load has failed for another user than that of now. Asked only if a load would be too
    /// early after that: to know the user takes longer than a visit of a fresh page.
    var isOtherUsersFailure = false
  }

  /// The loads whose content or failure makes another load unnecessary.
  struct Need {
    /// Results of earlier loads, failures too, are ignored.
    var since: LoadID = 0
    /// Failures of earlier loads are ignored.
    var failuresSince: LoadID = 0
    /// Results of this load or later ones, failures too, are accepted at any age.
    var enough: LoadID = .max
  }

  /// What becomes of a load that is asked for if it is needed.
  enum Demand: Equatable {
    /// None is needed.
    case nothing
    /// None, so soon after a failure; unless that was for another user than this digest is of, 0 for anyone.
    case tooEarly(user: UInt64)
    /// Give the caller this load, which is in flight.
    case join(LoadID)
    /// Begin this load, with the validators of `data` where it has some, and notify the observers.
    case begin(LoadID)
  }

  /// An action of the resource, as the result of an input.
  enum Action: Equatable {
    case nothing
    /// Notify the observers.
    case notify(ResourceEvent)
    /// Notify the observers of `.notModified`, and those that read the content that it has changed: a
    /// part of it was derived again from the header fields.
    case notifyDerived
    /// Cancel loads, and perhaps more.
    case cancel(Cancellation)
  }

  /// The actions if loads are cancelled, in the order of the members.
  struct Cancellation: Equatable {
    /// Notify the observers that every load was cancelled.
    var isLast = false
    /// Cancel these loads, which do not count any more.
    var loads: [LoadID] = []
    /// Remove the entry of the persistent cache.
    var removesEntry = false
    /// Notify the observers.
    var event: ResourceEvent?
  }
}
