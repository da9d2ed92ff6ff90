/// The pages of the chain: what they hold, what they name as the next one, and what happens to them.
extension PagedCollection {
  /// Merges what a page holds now.
  ///
  /// - Parameter isConfirmed: whether its items are known to be the same.
  func take(_ page: PageResource, in slot: Int, isConfirmed: Bool = false) {
    guard let box = page.box else { return }
    let next = next(after: page, slot)
    let change =
      isConfirmed
      ? chain.relink(at: slot, next: next)
      : chain.update(at: slot, items: box.value.items, next: next)
    // Slots may have gone or moved: whatever is behind this one is looked at again.
    if !change.dropped.isEmpty { walk.revisit(slot + 1) }
    if !change.splices.isEmpty || !change.dropped.isEmpty { walk.noteChange(of: slot) }
    apply(change)
    if slot == 0 { reconsiderStart() }
    dropFromStart()
  }

  /// Whether a page that was confirmed names another next page than before.
  private func namesAnother(_ page: PageResource, in slot: Int) -> Bool {
    guard let known = chain.slots.slots[slot].next else { return false }
    return switch (known, chain.slots.checked(next(after: page, slot), at: slot)) {
    case (.end, .end): false
    case (.page(let old), .page(let new)): old !== new
    case (.refused(let old), .refused(let new)): old != new
    default: true
    }
  }

  func next(
    after page: PageResource, _ slot: Int
  ) -> PageChain<Item>.Next {
    guard let link = page.box?.value.next else { return .end }
    guard dropped.count + slot + 1 < options.pageLimit else {
      return .refused(IncompleteWalk(.pageLimit(options.pageLimit), page: slot))
    }
    do throws(IncompleteWalk.Reason) {
      return .page(try target(of: link, on: page, in: slot))
    } catch {
      return .refused(IncompleteWalk(error, page: slot))
    }
  }

  private func target(
    of link: PageLink, on page: PageResource, in slot: Int
  ) throws(IncompleteWalk.Reason) -> PageResource {
    let found = try page.following(link, allowing: options.allowedOrigins)
    // The first page may have been decoded with another style than the one recognised in it; a link
    // back to it is a loop nevertheless.
    let target = found.key == firstPage.key ? firstPage : found
    guard options.allowsRepeatedPages else {
      if let known = dropped.index(of: target.key) { throw .loop(backTo: known) }
      return target
    }
    let isKnown = chain.slots.position(of: target.id).map { $0 <= slot }
    guard isKnown ?? (dropped.index(of: target.key) != nil) else { return target }
    if slot + 1 < chain.slots.count {
      let following = self.page(at: slot + 1)
      if following.key == target.key { return following }
    }
    return found.repeated()
  }

  /// The page in a slot.
  func page(at slot: Int) -> PageResource { Self.resource(chain.slots.page(at: slot)) }

  /// A page of the chain, which does not know the type of its pages; there are no others in it.
  static func resource(_ page: AnyObject) -> PageResource {
    unsafeDowncast(page, to: PageResource.self)
  }

  func apply(_ change: PageChain<Item>.Change) {
    for page in change.dropped {
      // It may be awaited at the other end.
      if page !== waitingForPrevious { Self.resource(page).removeObserver(self) }
      if waitingFor === page { waitingFor = nil }
    }
    for page in change.added { Self.resource(page).addObserver(self) }
    emit(change.splices)
  }
}

extension PagedCollection: ResourceObserver {
  /// Takes in what happened to a page. To be called by the page only.
  public func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    if resource === waitingForPrevious { previousChanged(Self.resource(resource), event) }
    guard let slot = chain.slots.position(of: resource.id) else { return }
    let page = Self.resource(resource)
    switch event {
    case .observerAdded, .requested:
      break
    case .invalidated:
      walk.revisit(slot)
    case .newData(.wipe):
      walk.revisit(slot)
      apply(chain.unload(at: slot))
      // Nothing is loaded again by itself: a wipe may be a log-out.
      if waitingFor == nil || waitingFor === page { halt(in: .idle) }
    case .newData,
      .notModified where namesAnother(page, in: slot):
      take(page, in: slot, isConfirmed: event == .notModified)
      // Pages before it may have been dropped.
      let slot = chain.slots.position(of: page.id) ?? slot
      var goesOn = waitingFor !== page || leaveAwaited(page, slot)
      walk.limit(freshUntil: page.freshUntil ?? .zero, of: slot)
      walk.revisit(chain.slots.linkedCount)
      if let waitingFor, chain.slots.position(of: waitingFor.id) != walk.position {
        // The walk was sent back: it goes on from there, though this page is still loading.
        self.waitingFor = nil
        goesOn = true
      }
      if goesOn { advance() }
    case .notModified, .error:
      if case .notModified = event {
        apply(chain.confirm(at: slot))
        if slot == 0 { reconsiderStart() }
      }
      walk.limit(freshUntil: page.freshUntil ?? .zero, of: slot)
      if waitingFor === page, leaveAwaited(page, slot) { advance() }
    case .requestCancelled:
      // Behind what else there is to be told of the page: a local write gives up a load too, and the
      // walk goes on with what was written.
      queue.post { [self] in
        // A refresh that was given up leaves the end of the list as it was.
        if waitingFor === page, !page.isLoading { halt(in: state.isLoading ? .idle : state) }
      }
    }
  }

  /// Goes on behind the page that held up the walk, if it is not loading any more.
  private func leaveAwaited(_ page: PageResource, _ slot: Int) -> Bool {
    guard !page.isLoading else { return false }
    waitingFor = nil
    return slot == walk.position ? leave(page) : true
  }
}
