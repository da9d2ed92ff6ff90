import Foundation

/// The combined state of resources and lists, as a view shows it: a first load, content, an error with a
/// retry button.
///
/// ```swift
/// let status = ResourceStatus(of: profile, gists)
/// if status.hasContent { showContent() }
/// switch status.phase {
/// case .loading: showSpinner()
/// case .failed(let error), .offline(let error): show(error.userMessage) { status.retry() }
/// case .rateLimited(let date): show("Too many requests until \(date)")
/// case .empty: show("Nothing here yet")
/// case .idle, .content, .appending: break
/// }
/// ```
///
/// A status is a snapshot: make it again when one of its sources has changed. In a SwiftUI view, and in
/// `withObservationTracking(_:onChange:)`, it tracks what it reads. Two statuses are equal if they show
/// the same and retry the same.
public struct ResourceStatus: Equatable {
  /// The phases that a view shows.
  public enum Phase: Sendable, Equatable {
    /// There is no content, and nothing is loading or has failed.
    case idle
    /// The first load is in progress, and there is no content to show in the meantime.
    case loading
    /// There is content.
    case content
    /// There is content, and it is empty.
    case empty
    /// There are items, and more are being loaded.
    case appending
    /// A load has failed.
    case failed(ResourceError)
    /// A load has failed because there is no connection to the server.
    case offline(ResourceError)
    /// The server asks not to send another request before that date.
    case rateLimited(until: Date)
  }

  /// A rule that selects a phase if it applies.
  ///
  /// The cases are in the order in which they are applied by default.
  public enum Rule: Sendable, Hashable, CaseIterable {
    /// A source without content is loading, and does not wait for a server: ``Phase/loading``.
    case firstLoad
    /// A list is loading more items, and does not wait for a server: ``Phase/appending``.
    case appending
    /// A server asks to wait, or the last load of a source failed.
    ///
    /// If a server asks to wait, because a load failed or before its next attempt, the phase is
    /// ``Phase/rateLimited(until:)`` with the latest date. Otherwise, if the last load of a source failed and it is
    /// not loading, it is ``Phase/offline(_:)`` if any source has no connection, or else ``Phase/failed(_:)`` with
    /// the error of the first.
    case error
    /// Every source has content: ``Phase/content``, or ``Phase/empty`` if that of each is empty.
    case allContent
    /// Any source has content: ``Phase/content``, or ``Phase/empty`` if that of each such source is empty.
    case anyContent
  }

  /// The phase of the first rule that applies.
  public let phase: Phase
  /// Whether any source has content, in any phase. A list that could not load more items still shows its items.
  public let hasContent: Bool
  /// Whether only the loading of more items has failed.
  ///
  /// Show that error with a retry button at that end of the list, such as after the last row, and not in place of the
  /// list or above it.
  public let isAppendFailure: Bool
  private let failed: [any StatusSource]

  /// Combines the state of sources.
  ///
  /// - Parameters:
  ///   - sources: resources, lists and paginators.
  ///   - rules: the rules in the order in which they are applied. By default, an error is shown before the
  ///     content of the others, and content before nothing.
  /// - Complexity: O(*s*) in the sources.
  public init(
    of sources: any StatusSource...,
    rules: [Rule] = Rule.allCases
  ) {
    self.init(of: sources, rules: rules)
  }

  /// Combines the state of sources.
  public init(
    of sources: [any StatusSource],
    rules: [Rule] = Rule.allCases
  ) {
    let parts = sources.map(\.statusPart)
    phase = rules.lazy.compactMap { $0.phase(of: parts) }.first ?? .idle
    hasContent = parts.contains(where: \.hasContent)
    let failures = parts.filter { $0.failure != nil }
    isAppendFailure = !failures.isEmpty && failures.allSatisfy(\.isAppendFailure)
    failed = zip(sources, parts).filter { $0.1.failure != nil }.map(\.0)
    canRetry = parts.contains { $0.mayBeRetried }
  }

  /// Whether a load has failed and can be retried now, because the server does not ask to wait.
  ///
  /// When that date passes, no observer is notified; views that track the status are drawn again.
  public let canRetry: Bool

  /// Repeats only what has failed: the load of a resource, or the page of a list.
  ///
  /// A source that was loaded since then is left alone, and so is one that the server asks to wait for.
  public func retry() {
    for source in failed where source.statusPart.mayBeRetried { source.retry() }
  }

  /// Whether two statuses have the same values, and retry the same sources.
  public static func == (left: Self, right: Self) -> Bool {
    left.phase == right.phase && left.hasContent == right.hasContent
      && left.canRetry == right.canRetry && left.isAppendFailure == right.isAppendFailure
      && Set(left.failed.map(ObjectIdentifier.init)) == Set(right.failed.map(ObjectIdentifier.init))
  }
}

extension ResourceStatus.Rule {
  /// The phase by this rule; nil if it does not apply.
  func phase(of parts: [ResourceStatus.Part]) -> ResourceStatus.Phase? {
    switch self {
    case .firstLoad:
      return parts.contains { $0.isLoading && !$0.hasContent && $0.retryDate == nil }
        ? .loading : nil
    case .appending:
      return parts.contains { $0.isAppending && $0.retryDate == nil } ? .appending : nil
    case .error:
      if let date = parts.compactMap(\.retryDate).max() { return .rateLimited(until: date) }
      let errors = parts.compactMap(\.failure)
      if let offline = errors.first(where: \.isOffline) { return .offline(offline) }
      return errors.first.map { .failed($0) }
    case .allContent:
      return parts.allSatisfy(\.hasContent) ? content(of: parts) : nil
    case .anyContent:
      return content(of: parts.filter(\.hasContent))
    }
  }

  private func content(of parts: [ResourceStatus.Part]) -> ResourceStatus.Phase? {
    guard !parts.isEmpty else { return nil }
    return parts.allSatisfy(\.isEmpty) ? .empty : .content
  }
}

extension ResourceError {
  /// Whether there was no connection to the server.
  fileprivate var isOffline: Bool {
    switch kind {
    case .unreachable, .connectionLost: true
    default: false
    }
  }
}
