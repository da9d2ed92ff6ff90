#if canImport(SwiftUI)
  import SwiftUI

  extension View {
    /// Loads a list while this view is shown (see ``PagedCollection/keepLoaded()``), and refreshes it when the user
    /// pulls it down.
    ///
    /// ```swift
    /// List(gists.items) { gist in
    ///   Text(gist.title).onAppear { gists.itemShown(gist) }
    /// }
    /// .loading(gists)
    /// ```
    ///
    /// Another list in its place is loaded too. The refresh continues if SwiftUI cancels the pull.
    ///
    /// - Parameter list: the list, which belongs to the main actor.
    @MainActor
    public func loading<Item>(_ list: PagedCollection<Item>) -> some View {
      task(id: ObjectIdentifier(list)) { @MainActor in await list.keepLoaded() }
        .refreshable { @MainActor in await list.refreshAndWait() }
    }

    /// Loads the current page of a paginator while this view is shown (see ``Paginator/keepLoaded()``), and
    /// refreshes it when the user pulls it down.
    ///
    /// If no page is loaded, pulling requests again the page that failed. Another paginator in its place is loaded too.
    ///
    /// - Parameter paginator: the paginator, which belongs to the main actor.
    @MainActor
    public func loading<Item>(_ paginator: Paginator<Item>) -> some View {
      task(id: ObjectIdentifier(paginator)) { @MainActor in await paginator.keepLoaded() }
        .refreshable { @MainActor in
          if paginator.currentPage == nil { paginator.retry() } else { try? paginator.refresh() }
          await paginator.settled()
        }
    }

    /// Loads a resource while this view is shown (see ``AnyResource/keepLoaded()``), and loads it again when the user
    /// pulls it down.
    ///
    /// Another resource in its place is loaded too.
    ///
    /// - Parameter resource: the resource, which belongs to the main actor.
    @MainActor
    public func loading(_ resource: AnyResource) -> some View {
      task(id: ObjectIdentifier(resource)) { @MainActor in await resource.keepLoaded() }
        .refreshable { @MainActor in await resource.load().completed() }
    }
  }
#endif
