/// Retrying, cancelling, invalidating and wiping.
extension AnyResource {
  /// Repeats the load that failed, without waiting.
  ///
  /// It does nothing if the last load did not fail, or while a load is in flight.
  ///
  /// The events are those of ``load()``. A `Retry-After` of the server does not delay the load; see
  /// ``ResourceError/retryDate``.
  public final func retry() {
    if state.error != nil, !state.isLoading { _ = beginLoad() }
  }

  /// Cancels every load in flight.
  ///
  /// ``isLoading`` is false at once, and a new load may begin before this call returns. Observers
  /// receive `.requestCancelled`, once for all loads; then the hooks of the requests are called,
  /// with an error of kind `.cancelled`. The data and the error stay. Does nothing if no load is in
  /// flight.
  ///
  /// A request that was made elsewhere, see ``Resource/load(using:)``, is not cancelled; its
  /// outcome does not reach this resource.
  public final func cancelLoad() {
    perform(decide { $0.cancelAll() })
  }

  /// Marks the data as stale, and keeps it and its timestamp.
  ///
  /// Only the response to a load that begins later, or an override of the content, makes the data fresh again;
  /// a load in flight continues. An earlier failure no longer holds back ``loadIfNeeded()``, unless the server
  /// named a time.
  ///
  /// The entry in ``Service/Configuration/cache`` does not change. After the resource is evicted, or at the next
  /// launch, the entry is fresh again for the rest of its lifetime; to prevent that, call ``load()`` or ``wipe()``.
  ///
  /// Observers receive `.invalidated`. Then, if the resource has data and is observed, a load
  /// begins, with the events of ``load()``; if one is in flight, the new one begins when that has
  /// succeeded. See ``Service/Configuration/reloadsWhenInvalidated``.
  public final func invalidate() {
    perform(decide { $0.invalidate() })
    reloadIfInvalidated()
  }

  /// Removes the data, the error and the entry of the persistent cache, and cancels every load in
  /// flight.
  ///
  /// Late responses are ignored. Observers receive `.requestCancelled` if a load was in flight, and
  /// then `.newData(.wipe)`, even if there was no data; at both events the data is already removed.
  /// Then the hooks of the cancelled requests are called.
  ///
  /// Other requests to its URL, such as those of ``Resource/request(_:body:)``, are not retried: one that
  /// waits to be sent is cancelled, and one that is under way ends with its response. Wiping a resource that
  /// is loaded with an unsafe method, such as `POST`, does not affect them: they may belong to other
  /// resources with its URL.
  ///
  /// - Complexity: O(*r*) in the requests to its URL that are under way; amortized O(1) for each other request of the
  ///   service.
  public final func wipe() {
    store.queue.together {
      wipe(removesEntry: true)
      if key.method.isSafe, unusable == nil { store.scope.endRetries(to: key.url) }
    }
  }

  final func wipe(removesEntry: Bool) {
    // Before the state, as for a load: what removes the entry asks for it.
    if removesEntry { _ = currentConfiguration }
    let next = store.nextLoad
    // A number of its own: what was read from the persistent cache before the newest wipe does not come back.
    store.countLoad()
    change { $0.wipe(before: next, removesEntry: removesEntry) }
  }
}
