#if canImport(UIKit) && !os(watchOS)
  import UIKit
#elseif canImport(AppKit)
  import AppKit
#endif

#if canImport(UIKit) && !os(watchOS)
  extension UITableViewDiffableDataSource {
    /// Shows a list in a section, by the ids of its items: those of now when the observer was added, and those
    /// after each change.
    ///
    /// Call it in an observer of the list, for each event. Rows whose item has changed and whose id stays are
    /// configured again.
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
    ///   - animatingDifferences: whether rows come and go with an animation.
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
    /// Shows a list in a section, by the ids of its items: those of now when the observer was added, and those
    /// after each change.
    ///
    /// Call it in an observer of the list, for each event. Cells whose item has changed and whose id stays are
    /// configured again.
    ///
    /// - Parameters:
    ///   - event: the event that the observer receives.
    ///   - list: the list, which shows each id once.
    ///   - section: the section that shows the list, and nothing else; appended if it is missing.
    ///   - animatingDifferences: whether cells come and go with an animation.
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
    /// Shows a list in a section, by the ids of its items: those of now when the observer was added, and those
    /// after each change.
    ///
    /// Call it in an observer of the list, for each event. Items that have changed and whose id stays are
    /// reloaded.
    ///
    /// - Parameters:
    ///   - event: the event that the observer receives.
    ///   - list: the list, which shows each id once.
    ///   - section: the section that shows the list, and nothing else; appended if it is missing.
    ///   - animatingDifferences: whether items come and go with an animation.
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
    /// Shows a list in a section, by the ids of its items: those of now when the observer was added, and those
    /// after each change.
    ///
    /// Call it in an observer of the list, for each event. Rows whose item has changed and whose id stays are
    /// reloaded.
    ///
    /// - Parameters:
    ///   - event: the event that the observer receives.
    ///   - list: the list, which shows each id once.
    ///   - section: the section that shows the list, and nothing else; appended if it is missing.
    ///   - animatingDifferences: whether rows come and go with an animation.
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
