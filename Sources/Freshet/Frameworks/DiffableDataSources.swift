#if canImport(UIKit) && !os(watchOS)
  import UIKit
#elseif canImport(AppKit)
  import AppKit
#endif

#if canImport(UIKit) && !os(watchOS)
  extension UITableViewDiffableDataSource {
    /// Updates a section to show the items of a list, by their ids.
    ///
    /// Call it in an observer of the list for each event, including `.observerAdded`. Rows whose item has changed,
    /// but not its id, are reconfigured.
    ///
    /// ```swift
    /// gists.addObserver(owner: self) { [weak self] gists, event in
    ///   self?.dataSource.apply(event, of: gists, inSection: 0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - event: the event that the observer receives.
    ///   - list: the list, which shows each id once.
    ///   - section: the section that shows the list, and nothing else; appended if it is missing.
    ///   - animatingDifferences: whether to animate insertions and removals.
    /// - Complexity: O(*n*) in the items.
    public func apply<Item: Identifiable>(
      _ event: PagedCollectionEvent<Item>, of list: PagedCollection<Item>,
      inSection section: SectionIdentifierType, animatingDifferences: Bool = true
    ) where Item.ID == ItemIdentifierType {
      var snapshot = snapshot()
      guard snapshot.apply(event, of: list, inSection: section) else { return }
      apply(snapshot, animatingDifferences: animatingDifferences)
    }
  }

  extension UICollectionViewDiffableDataSource {
    /// Updates a section to show the items of a list, by their ids.
    ///
    /// Call it in an observer of the list for each event, including `.observerAdded`. Cells whose item has changed,
    /// but not its id, are reconfigured.
    ///
    /// - Parameters:
    ///   - event: the event that the observer receives.
    ///   - list: the list, which shows each id once.
    ///   - section: the section that shows the list, and nothing else; appended if it is missing.
    ///   - animatingDifferences: whether to animate insertions and removals.
    /// - Complexity: O(*n*) in the items.
    public func apply<Item: Identifiable>(
      _ event: PagedCollectionEvent<Item>, of list: PagedCollection<Item>,
      inSection section: SectionIdentifierType, animatingDifferences: Bool = true
    ) where Item.ID == ItemIdentifierType {
      var snapshot = snapshot()
      guard snapshot.apply(event, of: list, inSection: section) else { return }
      apply(snapshot, animatingDifferences: animatingDifferences)
    }
  }
#elseif canImport(AppKit)
  extension NSCollectionViewDiffableDataSource {
    /// Updates a section to show the items of a list, by their ids.
    ///
    /// Call it in an observer of the list for each event, including `.observerAdded`. Items that have changed, but
    /// not their ids, are reloaded.
    ///
    /// - Parameters:
    ///   - event: the event that the observer receives.
    ///   - list: the list, which shows each id once.
    ///   - section: the section that shows the list, and nothing else; appended if it is missing.
    ///   - animatingDifferences: whether to animate insertions and removals.
    /// - Complexity: O(*n*) in the items.
    public func apply<Item: Identifiable>(
      _ event: PagedCollectionEvent<Item>, of list: PagedCollection<Item>,
      inSection section: SectionIdentifierType, animatingDifferences: Bool = true
    ) where Item.ID == ItemIdentifierType {
      var snapshot = snapshot()
      guard snapshot.apply(event, of: list, inSection: section) else { return }
      apply(snapshot, animatingDifferences: animatingDifferences)
    }
  }

  extension NSTableViewDiffableDataSource {
    /// Updates a section to show the items of a list, by their ids.
    ///
    /// Call it in an observer of the list for each event, including `.observerAdded`. Rows whose item has
    /// changed, but not its id, are reloaded.
    ///
    /// - Parameters:
    ///   - event: the event that the observer receives.
    ///   - list: the list, which shows each id once.
    ///   - section: the section that shows the list, and nothing else; appended if it is missing.
    ///   - animatingDifferences: whether to animate insertions and removals.
    /// - Complexity: O(*n*) in the items.
    public func apply<Item: Identifiable>(
      _ event: PagedCollectionEvent<Item>, of list: PagedCollection<Item>,
      inSection section: SectionIdentifierType, animatingDifferences: Bool = true
    ) where Item.ID == ItemIdentifierType {
      var snapshot = snapshot()
      guard snapshot.apply(event, of: list, inSection: section) else { return }
      apply(snapshot, animatingDifferences: animatingDifferences)
    }
  }
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  extension NSDiffableDataSourceSnapshot {
    /// Has a section show the items of a list; false if an event has changed none of them.
    fileprivate mutating func apply<Item: Identifiable>(
      _ event: PagedCollectionEvent<Item>, of list: PagedCollection<Item>,
      inSection section: SectionIdentifierType
    ) -> Bool where Item.ID == ItemIdentifierType {
      let items = list.items
      var changed: [ItemIdentifierType] = []
      switch event {
      case .observerAdded: break
      case .itemsChanged(let change):
        changed = change.difference(by: \.id).updates.map { items[$0].id }
      case .stateChanged, .previousStateChanged, .refreshStateChanged, .invalidated: return false
      }
      if indexOfSection(section) == nil { appendSections([section]) }
      deleteItems(itemIdentifiers(inSection: section))
      appendItems(items.map(\.id), toSection: section)
      #if canImport(UIKit)
        reconfigureItems(changed)
      #else
        reloadItems(changed)
      #endif
      return true
    }
  }
#endif
