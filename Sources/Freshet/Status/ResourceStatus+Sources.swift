import Foundation

extension AnyResource: StatusSource {
  /// The state of the resource, for a ``ResourceStatus``.
  public final var statusPart: ResourceStatus.Part {
    access(.content)
    access(.isLoading)
    access(.latestError)
    var part = ResourceStatus.Part()
    part.hasContent = hasData
    part.isEmpty = isContentEmpty
    part.isLoading = state.isLoading
    part.error = state.error
    part.limit = limit
    return part
  }

  /// Until when a load waits, or has to wait, because the server asked for it.
  private final var limit: Date? {
    if let wait = inFlight.newestRequest?.wait {
      return wait.reason == .server ? wait.nextAttemptDate : nil
    }
    return state.isLoading ? nil : state.error?.limit(at: clock.date)
  }

  /// Loads the content again, if the last load failed.
  public final func retryFailed() {
    if state.error != nil, !state.isLoading { _ = beginLoad() }
  }
}

extension PagedCollection: StatusSource {
  /// The state of the list, for a ``ResourceStatus``.
  public var statusPart: ResourceStatus.Part {
    access(.details)
    access(.isLoading)
    access(.latestError)
    var part = ResourceStatus.Part()
    part.hasContent = list.shown.linkedCount > 0
    part.isEmpty = shownItems.isEmpty
    part.isLoading = list.isLoading
    part.isAppending =
      part.hasContent && (list.states.end.isLoading || list.states.start.isLoading)
    part.error = latestError
    part.limit = limit
    return part
  }

  /// Until when a page waits, or has to wait, because the server asked for it.
  private var limit: Date? {
    let limits = [state, previousState, refreshState].compactMap { state -> Date? in
      switch state {
      case .waiting(let wait): wait.reason == .server ? wait.nextAttemptDate : nil
      case .failed(let error, _): error.limit(at: firstPage.clock.date)
      case .idle, .loading, .ended, .incomplete: nil
      }
    }
    return limits.max()
  }

  /// Requests the pages that failed, and no others.
  public func retryFailed() { retry() }
}

extension Paginator: StatusSource {
  /// The state of the list, for a ``ResourceStatus``.
  public var statusPart: ResourceStatus.Part {
    access(.content)
    access(.isLoading)
    access(.latestError)
    var part = ResourceStatus.Part()
    part.hasContent = table.currentPage != nil
    part.isEmpty = items.isEmpty
    part.isLoading = table.pendingPage != nil
    part.error = table.failure?.error
    part.limit = part.isLoading ? nil : part.error?.limit(at: store.clock.date)
    return part
  }

  /// Requests the page that failed.
  public func retryFailed() { retry() }
}
