extension AnyResource {
  /// The events of this resource, as an asynchronous sequence.
  ///
  /// ```swift
  /// for await event in gist.events { log("\(event)") }
  /// ```
  ///
  /// Each access makes another sequence, which observes from then on and begins with `.observerAdded`.
  /// No event is left out, and they come in order; those that the consumer has not read yet are kept,
  /// without a limit. An event may be read after later ones have happened: the state of the resource
  /// is the current one.
  ///
  /// The sequence ends when the resource is deallocated, which it does not prevent, and when the
  /// iterating task is cancelled. It may be iterated on any actor, by one task.
  public final var events: AsyncStream<ResourceEvent> {
    stream(.unbounded) { $0.resourceEvent }
  }

  /// Loads stale data, now and whenever it is invalidated, until the task is cancelled.
  ///
  /// Call it in the task of a view, which runs for as long as the view is shown.
  ///
  /// ```swift
  /// Text(gist.content?.title ?? "").task { await gist.keepLoaded() }
  /// ```
  ///
  /// The resource counts as observed meanwhile, so that ``Service/Configuration/reloadsWhenInvalidated`` and
  /// ``Service/loadIfNeeded(matching:on:_:)`` apply to it, and it stays in memory. A failed load is not
  /// repeated, and wiped content is not loaded again.
  public final func keepLoaded() async {
    await observe { _ = loadIfNeeded() }
  }
}

extension Resource {
  /// The content, now and after each change, as an asynchronous sequence.
  ///
  /// ```swift
  /// for await profile in service.resource("profile", of: Profile.self).values { show(profile) }
  /// ```
  ///
  /// Each access makes another sequence, which observes from then on. It begins with the current content, if
  /// there is any. A consumer that is slower than the changes reads only the newest. A wipe produces no
  /// element, and drops one that was not read yet; only a consumer that is already waiting may still receive
  /// content that is wiped right after its event. Iterating loads nothing: see ``loadIfNeeded()``.
  ///
  /// The sequence ends when the resource is deallocated, which it does not prevent, and when the
  /// iterating task is cancelled. It may be iterated on any actor, by one task.
  public var values: AsyncStream<Content> {
    // A wipe is an element here, which takes the place of the content that was not read. Late, because an
    // observer may wipe what the event is about.
    let contents = stream(.bufferingNewest(1), isLate: true) { notice -> Content?? in
      let isElement = notice.changesContent || notice.resourceEvent == .observerAdded
      return isElement ? .some(notice.subject(Resource.self).box?.value) : nil
    }
    return AsyncStream {
      for await case let content? in contents { return content }
      return nil
    }
  }

  /// Returns fresh content, immediately if there is some, and otherwise after a load.
  ///
  /// Joins a load in flight of the same user; if the resource is invalidated or the user changes during
  /// that load, another one follows. A local write that cancels the load counts as fresh content.
  ///
  /// - Throws: the ``ResourceError`` of the load, or of the last one if it is too early to load again; of
  ///   kind `.cancelled` when the load or the waiting task is cancelled, or the content is wiped as soon
  ///   as it arrives. The load continues when the task is cancelled.
  @discardableResult
  public func freshContent() async throws(ResourceError) -> Content {
    guard let request = loadIfNeeded() else { return try contentWithoutLoad() }
    let content = try await content(after: request)
    guard freshUntil == nil else { return content }
    // Invalidated during the load, or of another user: its response may be of the time before.
    guard let request = loadIfNeeded() else { return try contentWithoutLoad() }
    return try await self.content(after: request)
  }

  /// The content if it needs no load; otherwise throws the error for which none has begun.
  private func contentWithoutLoad() throws(ResourceError) -> Content {
    if isFresh, let box { return box.value }
    throw state.error
      ?? ResourceError(
        .cancelled, "\(self) was not loaded: its load ended before it began.",
        timestamp: clock.date)
  }

  /// Loads the content from the server, even while it is fresh, and returns it.
  ///
  /// - Throws: the ``ResourceError`` of the load; of kind `.cancelled` when it or the waiting task is
  ///   cancelled, or the content is wiped as soon as it arrives. The load continues when the task is
  ///   cancelled.
  @discardableResult
  public func reload() async throws(ResourceError) -> Content {
    try await content(after: load())
  }

  private func content(after request: Request<Content>) async throws(ResourceError) -> Content {
    let load = awaitedLoad(from: request)
    do throws(ResourceError) {
      try await request.entity()
    } catch {
      // A local write cancels the load, and replaces its response.
      guard error.kind == .cancelled, !Task.isCancelled, isFresh, let box else { throw error }
      return box.value
    }
    return try content(of: load)
  }

  /// The load of a request, to be asked for its content when the request has succeeded.
  ///
  /// - Parameter request: that of a load which was just begun or joined. An observer of it may have begun newer
  ///   ones since, or ended it.
  func awaitedLoad(from request: AnyRequest) -> AwaitedLoad {
    let own = inFlight.load(from: request)
    return AwaitedLoad(
      request: request, id: own?.id ?? state.newestLoad, isAdopted: own?.isAdopted == true)
  }

  /// The content that a load has brought or confirmed, whose request has succeeded.
  func content(of load: AwaitedLoad) throws(ResourceError) -> Content {
    // The request may have succeeded for nothing: its load was cancelled, or a newer one has failed.
    // Content of the persistent cache is of no load, unless the resource has adopted it.
    let isRestored = !load.isAdopted && load.request.ending?.fetched?.isRestored == true
    guard state.confirmingLoad >= load.id || isRestored else {
      if let error = state.error, let failed = state.failedLoad, failed >= load.id { throw error }
      throw ResourceError(
        .cancelled, "The load of \(self) was cancelled.", timestamp: clock.date)
    }
    // As of a load that is cancelled by the wipe, if that comes earlier.
    guard let box else {
      throw ResourceError(
        .cancelled, "The content of \(self) was wiped, or its load cancelled.",
        timestamp: clock.date)
    }
    // With the edits that are pending.
    return box.value
  }
}

/// A load whose end a caller waits for.
struct AwaitedLoad {
  let request: AnyRequest
  let id: ResourceState.LoadID
  /// Whether the request was made elsewhere.
  let isAdopted: Bool
}
