import Foundation

/// A source of a ``ResourceStatus``: a ``Resource``, ``PagedCollection`` or ``Paginator``.
public protocol StatusSource: AnyObject {
  /// The state of this source.
  var statusPart: ResourceStatus.Part { get }

  /// Loads again what could not be loaded; does nothing if nothing has failed.
  func retry()
}

extension ResourceStatus {
  /// The state of one source.
  public struct Part: Sendable, Equatable {
    /// Whether there is content to show.
    public var hasContent = false
    /// Whether the content is empty.
    public var isEmpty = false
    /// Whether anything is loading.
    public var isLoading = false
    /// Whether more items are loading, at an end of a list that has some.
    public var isAppending = false
    /// Whether loading more items has failed, at an end of a list that has some.
    public var isAppendFailure = false
    /// The date until which the server has asked to wait, if it has not passed.
    public var retryDate: Date?
    /// The error of the last load; nil after a success.
    public var latestError: ResourceError?

    /// Creates the state of a source that has not been loaded.
    public init() {}

    /// The error of a load that is not being repeated.
    var failure: ResourceError? { isLoading ? nil : latestError }

    /// Whether a load has failed, and the server does not ask to wait.
    var mayBeRetried: Bool { failure != nil && retryDate == nil }
  }
}

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
    part.latestError = state.error
    part.retryDate = retryDate
    notifyRetry(of: part, in: store)
    return part
  }

  /// The date until which a load waits, or has to wait, because the server asked for it.
  private final var retryDate: Date? {
    if let wait = inFlight.newestRequest?.wait {
      return wait.reason == .server ? wait.nextAttemptDate : nil
    }
    return state.isLoading ? nil : state.error?.retryDate(after: clock.date)
  }
}

extension PagedCollection: StatusSource {
  /// The state of the list, for a ``ResourceStatus``.
  public var statusPart: ResourceStatus.Part {
    access(.details)
    access(.isLoading)
    access(.latestError)
    for wait in [.state, .previousState, .refreshState] as [TrackedProperties.Property] {
      access(wait)
    }
    var part = ResourceStatus.Part()
    part.hasContent = list.shown.linkedCount > 0
    part.isEmpty = shownItems.isEmpty
    part.isLoading = list.isLoading
    part.isAppending = part.hasContent && isAppending
    part.latestError = latestError
    part.isAppendFailure = part.hasContent && part.failure != nil && isAppendFailure
    part.retryDate = retryDate
    notifyRetry(of: part, in: firstPage.store)
    return part
  }

  /// Whether a page is loading that is not shown yet.
  private var isAppending: Bool {
    if list.start.state.isLoading { return true }
    guard list.end.state.isLoading else { return false }
    // One that is shown may be loading again.
    return list.end.awaited.flatMap { list.slot(of: $0) }.map { $0 >= list.shown.linkedCount }
      ?? true
  }

  /// Whether what has failed are pages that are not shown.
  private var isAppendFailure: Bool {
    list.states.allSatisfy { state in
      guard case .failed(_, let page) = state else { return true }
      return !(0..<list.shown.linkedCount).contains(page)
    }
  }

  /// The date until which a page waits, or has to wait, because the server asked for it.
  var retryDate: Date? {
    let dates = list.states.compactMap { state -> Date? in
      switch state {
      case .waiting(let wait): wait.reason == .server ? wait.nextAttemptDate : nil
      case .failed(let error, _): error.retryDate(after: firstPage.clock.date)
      case .idle, .loading, .ended, .incomplete: nil
      }
    }
    return dates.max()
  }
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
    part.latestError = table.failure?.error
    part.retryDate =
      table.pendingPage.map { resources[$0]?.statusPart.retryDate }
      ?? part.latestError?.retryDate(after: store.clock.date)
    notifyRetry(of: part, in: store)
    return part
  }
}

extension Tracked {
  /// Notifies those that track the status when a failed load may be retried, which has no event.
  fileprivate func notifyRetry(of part: ResourceStatus.Part, in store: Store) {
    let date = part.failure == nil ? nil : part.retryDate
    trackedIfAny?.notifyRetry(at: date, on: store.clock, store.queue, store.scope.isolation)
  }
}
