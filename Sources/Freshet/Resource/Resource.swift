import Foundation

/// A resource at a URL, with its latest data, its latest error, its loading state and its observers.
///
/// ```swift
/// let profile = service.resource("profile", of: Profile.self)
/// profile.addObserver(owner: self) { [weak self] resource, event in self?.draw() }
/// profile.loadIfNeeded()
///
/// profile.content      // latest data?
/// profile.latestError  // last error?
/// profile.isLoading    // in progress?
/// ```
///
/// A resource belongs to the actor of its service, and its properties are read synchronously. This
/// class adds the type of the content to ``AnyResource``, which has the loads, the state and the
/// observers.
public final class Resource<Content: Sendable>: AnyResource {
  var decoder: ContentDecoder<Content> { ContentDecoder(anyDecoder) }

  init(
    key: ResourceKey, decoder: ContentDecoder<Content>, store: Store, unusable: UnusableURL? = nil
  ) {
    super.init(key: key, decoder: decoder.erased, store: store, unusable: unusable)
  }

  // MARK: State

  /// The latest content with its headers and timestamp, local changes included; nil before the
  /// first response and after ``AnyResource/wipe()``.
  ///
  /// A load that fails leaves the data as it is.
  public var latestData: ResourceEntity<Content>? {
    access(.details)
    return state.data.map { ResourceEntity($0) }
  }
  /// The content of ``latestData``.
  public var content: Content? {
    access(.content)
    return box?.value
  }

  /// The content where it is kept: a part of it can be read there without a copy of the whole.
  ///
  /// Written out, here and below: a closure given to `Optional.map` is compiled once for all types, and
  /// has to look up at run time what it works with. Saves 36 % of a visit.
  var box: ContentBox<Content>? {
    guard let content = state.data?.content else { return nil }
    return unsafeDowncast(content, to: ContentBox<Content>.self)
  }

  /// What the server has sent, below the optimistic edits of the content; nil if there are none.
  var sentBox: ContentBox<Content>? {
    guard state.hasEdits, let sent = state.edits?.base.content else { return nil }
    return unsafeDowncast(sent, to: ContentBox<Content>.self)
  }

  override var isContentEmpty: Bool { (box?.value as? any Collection)?.isEmpty ?? false }

  override func makeRequest(_ exchange: Exchange) -> AnyRequest {
    Request<Content>(scope: store.scope, exchange: exchange)
  }

  // MARK: Loading

  /// Loads the resource if its data is missing or stale: see ``AnyResource/loadIfNeeded()``.
  ///
  /// - Returns: the request of the load in flight, or nil if none is needed.
  @discardableResult
  public override func loadIfNeeded() -> Request<Content>? {
    // Made by `makeRequest`, or adopted as what it is.
    guard let request = beginLoadIfNeeded() else { return nil }
    return unsafeDowncast(request, to: Request<Content>.self)
  }

  /// Loads from the network, even while the data is fresh: see ``AnyResource/load()``.
  ///
  /// - Returns: the request of the load.
  @discardableResult
  public override func load() -> Request<Content> {
    unsafeDowncast(beginLoad(), to: Request<Content>.self)
  }

  /// Loads this resource from the response to another request: of a PUT, for example.
  ///
  /// The resource is loading until that request completes, and then receives its content or its error as
  /// those of a load, with the events of ``AnyResource/load()``. Cancelling the load does not cancel the
  /// request. A request that the resource is already loading from changes nothing; one that has ended is loaded
  /// from in any case, also if it was a load of this resource.
  ///
  /// The age of the response counts, and whether the freshness that it states does is for the configuration of this
  /// resource to say, at the time of this call: see ``Service/Configuration/responseFreshness``. The lifetime of
  /// an error response counts if the configuration of the request says so.
  ///
  /// The response replaces the entry of the persistent cache. So that the next load from there is not older
  /// than what is shown, the entry is removed instead if the configuration of that request has no cache,
  /// if another decoder or another pipeline read the response, if the server forbids storing it, or
  /// if that request ended with what was known already: with a 304, or from the cache.
  ///
  /// - Returns: the request.
  @discardableResult
  public func load(using request: Request<Content>) -> Request<Content> {
    guard !isLoading(from: request) else { return request }
    return unsafeDowncast(beginLoad(adopting: request), to: Request<Content>.self)
  }

  // MARK: Local changes

  /// Replaces the content locally, without a request.
  ///
  /// The write clears the error and an invalidation, and cancels every load in flight, so that a
  /// late response never overwrites it. Pending optimistic updates end.
  ///
  /// Observers receive `.requestCancelled` if a load was in flight, and then
  /// `.newData(.localOverride)`; at both events the content is already the new one. Then the hooks
  /// of the cancelled requests are called.
  public func overrideLocalContent(_ content: Content) {
    overrideLocalContent(ResourceEntity(content, timestamp: store.clock.date))
  }

  /// Replaces the content locally, with headers and timestamp, without a request.
  ///
  /// The events are those of ``overrideLocalContent(_:)-(Content)``.
  public func overrideLocalContent(_ entity: ResourceEntity<Content>) {
    var entity = entity.erased
    // First: a changed configuration compares the data of before with it.
    entity.variant = variant(of: entity.headers, in: currentConfiguration)
    clearOtherVariant()
    let (now, id) = (store.clock.now, store.nextLoad)
    store.countLoad()
    change { [entity] in $0.override(entity, now: now, as: id) }
  }

  /// Changes the content optimistically, before the server has accepted the change.
  ///
  /// The content is the server's, with every pending update applied in order. Updates may overlap:
  /// rolling one back applies the later ones again without it, so `edit` may be called again, on
  /// the same or other content. Loads in flight continue, and the updates are applied to the
  /// content that they deliver.
  ///
  /// Observers receive `.newData(.localOverride)`, and the same when the update is rolled back.
  /// Committing it posts no event, because the content does not change.
  ///
  /// `edit` may read this resource, and change only the content that it is given: to load,
  /// invalidate or change the resource in another way within `edit` is a programming error.
  ///
  /// ```swift
  /// let update = note.updateContent { $0.title = title }
  /// note.request(.patch, body: .json(["title": title]))
  ///   .onSuccess { _ in update?.commit() }
  ///   .onFailure { _ in update?.rollBack() }
  /// ```
  ///
  /// - Returns: the handle that commits the update or rolls it back, to be kept until then; nil
  ///   if there is no content to change.
  @discardableResult
  public func updateContent(_ edit: @escaping (inout Content) -> Void) -> ContentUpdate? {
    guard state.data != nil else { return nil }
    let apply = ContentBox.edit(edit)
    return attachment?.share(apply) ?? beginEdit(store.makeEditID(), apply)
  }

  // MARK: Observing

  /// Adds a closure that is called with this resource and `.observerAdded`, and then with every later
  /// event, until its owner is deallocated or the returned token is cancelled.
  ///
  /// The owner is held weakly, the closure strongly. Releasing the token does not end the
  /// observation.
  ///
  /// ```swift
  /// gist.addObserver(owner: self) { [weak self] gist, _ in self?.title = gist.content?.title }
  /// ```
  ///
  /// - Complexity: amortized O(1).
  @discardableResult
  public override func addObserver(
    owner: AnyObject,
    _ body: @escaping (_ resource: Resource<Content>, _ event: ResourceEvent) -> Void
  ) -> ObservationToken {
    add(owner: owner) { body($0.subject(), $0.resourceEvent) }
  }

  /// Adds a closure that is called with this resource and `.observerAdded`, and then with
  /// every later event, for as long as the returned token is held.
  ///
  /// The observation ends when the token is released, and with ``ObservationToken/cancel()``. The
  /// token holds the closure.
  ///
  /// - Returns: the token, to be kept for as long as events are wanted.
  /// - Complexity: amortized O(1).
  public override func observe(
    _ body: @escaping (_ resource: Resource<Content>, _ event: ResourceEvent) -> Void
  ) -> ObservationToken {
    add { body($0.subject(), $0.resourceEvent) }
  }

  /// Adds a closure that is called with the content after each change, and with nil after a wipe, for as long as the
  /// returned token is held.
  ///
  /// ```swift
  /// observation = profile.observeContent { [label] in label.text = $0?.name }
  /// ```
  ///
  /// A 304 changes the content only if it derives from header fields, as the links of a page do. Read
  /// ``content`` for the current value.
  ///
  /// - Returns: the token, to be kept for as long as changes are wanted.
  /// - Complexity: amortized O(1).
  public func observeContent(_ body: @escaping (_ content: Content?) -> Void) -> ObservationToken {
    add { notice in
      if notice.changesContent { body(notice.subject(Resource.self).box?.value) }
    }
  }
}
