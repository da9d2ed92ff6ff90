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
