/// A change in a resource's state.
///
/// The resource has reached the state that an event describes, completely, before the first observer
/// receives it.
public enum ResourceEvent: Sendable, Hashable {
  /// The observer that receives this was added; no other observer receives it.
  case observerAdded
  /// A load began: ``AnyResource/isLoading`` is true.
  case requested
  /// All loads in flight were cancelled.
  ///
  /// Data and error are as before the load, unless a local change has cancelled it: then an override or a wipe has
  /// already been made, and its `.newData` follows directly.
  case requestCancelled
  /// There is new content, or none after `.wipe`.
  ///
  /// The error is cleared by a response, by fresh content of the persistent cache, by an override and by a
  /// wipe. An optimistic update, and stale content of the cache, leave it as it is.
  case newData(Source)
  /// The server confirmed the content: timestamp and headers are updated, and what a page derives from
  /// the headers; the error is cleared.
  case notModified
  /// A load failed with ``AnyResource/latestError``; the content is as before.
  case error
  /// The content was invalidated; load it again if it is shown.
  case invalidated

  /// The source of new content.
  public enum Source: Sendable, Hashable {
    /// A response of the server.
    case network
    /// The persistent cache.
    case cache
    /// A local write: `Resource.overrideLocalContent(_:)` or an optimistic update.
    case localOverride
    /// ``AnyResource/wipe()``: there is no content now.
    case wipe
  }
}

extension ResourceEvent: CustomStringConvertible {
  /// The name of the event with what it carries, such as `newData(network)`.
  public var description: String {
    switch self {
    case .observerAdded: "observerAdded"
    case .requested: "requested"
    case .requestCancelled: "requestCancelled"
    case .newData(let source): "newData(\(source))"
    case .notModified: "notModified"
    case .error: "error"
    case .invalidated: "invalidated"
    }
  }
}
