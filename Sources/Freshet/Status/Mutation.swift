import Observation

/// Sends a change to the server, with its optimistic edits, and reports its state.
///
/// ```swift
/// let star = Mutation<NoContent>()
/// star.begin(
///   gist.child("star", decoder: .noContent).request(.put),
///   edits: [
///     gist.updateContent { $0.isStarred = true }, gists.update(id: id) { $0.isStarred = true },
///   ]
/// ) { service.invalidate(matching: "gists/starred") }
/// star.isPending    // sent, and not responded to yet?
/// star.latestError  // the last one failed?
/// ```
///
/// The edits are shown immediately. They are committed when the server accepts the change, and rolled back when it
/// refuses the change or the request is cancelled: all of them, in any number of resources and lists, without another
/// call.
///
/// If the list and the resource share their items (see ``PagedCollection/details(_:)``), an edit of one also edits the
/// other: pass only one of them.
///
/// Use one mutation for each control, such as a button or a form, and ``ItemMutations`` for the rows of a list. A
/// change that begins while another is pending does not wait for it, so the server may receive the two in either order.
/// To send them one after another, make each request when the one before is completed; see <doc:ChangingThings>.
///
/// A mutation belongs to the actor of the service. It may be released while a change is pending: the edits still end
/// with the request, which the service keeps. If the service is deallocated too, and nothing else holds the request,
/// the request is cancelled, and the edits stay pending.
public final class Mutation<Content: Sendable>: Tracked, Observable {
  private(set) var trackedIfAny: TrackedProperties?
  private var pending: [Request<Content>] = []
  private var newest: Result<Content, ResourceError>?
  /// The tasks that wait until no change is pending.
  private var waiters = Waiters()

  /// Creates a mutation that has no change yet.
  public init() {}

  /// Whether a change was sent and the server has not yet responded.
  public var isPending: Bool {
    access(.isLoading)
    return !pending.isEmpty
  }

  /// The error of the change that ended last; nil otherwise.
  ///
  /// It is nil after a success or a cancellation, when another change begins, and after ``clearError()``.
  public var latestError: ResourceError? {
    access(.latestError)
    return error
  }

  /// The response to the change that ended last; nil after a failure, and when another begins.
  public var content: Content? {
    access(.content)
    return try? newest?.get()
  }

  private var error: ResourceError? {
    if case .failure(let error) = newest { error } else { nil }
  }

  /// Begins a change, whose edits are committed or rolled back when its request ends.
  ///
  /// - Parameters:
  ///   - request: the request of the change, which is under way.
  ///   - edits: the optimistic edits of the change, as ``Resource/updateContent(_:)``,
  ///     ``PagedCollection/update(id:_:)`` and the like return them. Those that are nil had nothing to
  ///     edit.
  ///   - onSuccess: called when the server has accepted the change and the edits are committed. Use it to invalidate
  ///     other resources that the change affects.
  /// - Returns: the request, to wait for or to cancel.
  @discardableResult
  public func begin(
    _ request: Request<Content>, edits: [ContentUpdate?] = [], onSuccess: @escaping () -> Void = {}
  ) -> Request<Content> {
    change {
      pending.append(request)
      newest = nil
    }
    // The request keeps the edits, and what it calls, until it ends. They do not keep the request.
    request.onCompletion { [weak self, weak request] result in
      let edits = edits.compactMap(\.self)
      switch result {
      case .success: for edit in edits { edit.commit() }
      // The newest first, so that no older one is applied again in vain.
      case .failure: for edit in edits.reversed() { edit.rollBack() }
      }
      if let request { self?.ended(request, result.map(\.content)) }
      if case .success = result { onSuccess() }
    }
    return request
  }

  /// Cancels the pending changes and rolls back their edits.
  ///
  /// The server may have performed them already.
  public func cancel() {
    for request in pending { request.cancel() }
  }

  /// Removes the error, for example when the user dismisses the alert that shows it.
  public func clearError() {
    if error != nil { change { newest = nil } }
  }

  /// Waits until no change is pending, or the waiting task is cancelled.
  public func settled() async { await waitForRest() }

  /// A stream that ends when no change is pending: when the hook of its request was called, which is later than the
  /// request ends.
  func rest() -> AsyncStream<Void> { waiters.make() }

  private func ended(_ request: Request<Content>, _ result: Result<Content, ResourceError>) {
    change {
      pending.removeAll { $0 === request }
      if case .failure(let error) = result, error.kind == .cancelled {
        newest = nil
      } else {
        newest = result
      }
    }
    waiters.resume()
  }

  private func change(_ change: () -> Void) {
    let hadContent = hasContent
    // Released after the change: deallocating content may run user code, which may look here.
    let replaced = newest
    change()
    if let trackedIfAny {
      update(trackedIfAny)
      if hadContent || hasContent { trackedIfAny.changed(.content) }
    }
    withExtendedLifetime(replaced) {}
  }

  private var hasContent: Bool {
    if case .success = newest { true } else { false }
  }

  func makeTracked() -> TrackedProperties {
    let made = TrackedProperties()
    trackedIfAny = made
    return made
  }

  func update(_ tracked: TrackedProperties) {
    tracked.update(isLoading: !pending.isEmpty, latestError: error)
  }
}

extension Mutation: Settling {
  var isBusy: Bool { !pending.isEmpty }
  var awaitedRequests: [AnyRequest] { pending.first.map { [$0] } ?? [] }
}

extension Mutation: CustomStringConvertible, SecretHolding {
  /// The type, and whether a change is pending; nothing of the content.
  public var description: String {
    "Mutation<\(Content.self)>" + (pending.isEmpty ? "" : " (pending)")
  }
}
