#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import UIKit

  extension UITableView {
    /// Applies a change of a list: deletes and inserts its rows in one batch.
    ///
    /// Call it in an observer of the list for each `.itemsChanged`. The data source must show
    /// ``PagedCollection/items``. A view that is not in a window reloads all of its data.
    ///
    /// ```swift
    /// gists.addObserver(owner: self) { [weak self] _, event in
    ///   if case .itemsChanged(let change) = event { self?.tableView.apply(change) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - section: the section that shows the list.
    ///   - animation: the animation of insertions and removals.
    public func apply<Item>(
      _ change: PagedChange<Item>, inSection section: Int = 0,
      with animation: RowAnimation = .automatic
    ) {
      // A view that is not laid out yet counts what its data source has by now, and traps at a change of that.
      guard window != nil else { return reloadData() }
      performBatchUpdates {
        self.deleteRows(at: change.removedIndices.map { [section, $0] }, with: animation)
        self.insertRows(at: change.insertedIndices.map { [section, $0] }, with: animation)
      }
    }
  }

  extension UICollectionView {
    /// Applies a change of a list: deletes and inserts its items in one batch.
    ///
    /// Call it in an observer of the list for each `.itemsChanged`. The data source must show
    /// ``PagedCollection/items``. A view that is not in a window reloads all of its data.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - section: the section that shows the list.
    public func apply<Item>(_ change: PagedChange<Item>, inSection section: Int = 0) {
      guard window != nil else { return reloadData() }
      performBatchUpdates {
        self.deleteItems(at: change.removedIndices.map { [section, $0] })
        self.insertItems(at: change.insertedIndices.map { [section, $0] })
      }
    }
  }
#elseif canImport(AppKit)
  import AppKit
  import Foundation

  extension NSTableView {
    /// Applies a change of a list: removes and inserts its rows in one batch.
    ///
    /// Call it in an observer of the list for each `.itemsChanged`. The data source must show
    /// ``PagedCollection/items``. A view that is not in a window reloads all of its data.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - animation: the animation of insertions and removals.
    public func apply<Item>(
      _ change: PagedChange<Item>, withAnimation animation: AnimationOptions = .effectFade
    ) {
      // A view that is not laid out yet counts what its data source has by now, and traps at a change of that.
      guard window != nil else { return reloadData() }
      beginUpdates()
      removeRows(at: IndexSet(change.removedIndices), withAnimation: animation)
      insertRows(at: IndexSet(change.insertedIndices), withAnimation: animation)
      endUpdates()
    }
  }

  extension NSCollectionView {
    /// Applies a change of a list: deletes and inserts its items in one batch.
    ///
    /// Call it in an observer of the list for each `.itemsChanged`. The data source must show
    /// ``PagedCollection/items``. A view that is not in a window reloads all of its data.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - section: the section that shows the list.
    public func apply<Item>(_ change: PagedChange<Item>, inSection section: Int = 0) {
      guard window != nil else { return reloadData() }
      performBatchUpdates {
        self.deleteItems(at: Set(change.removedIndices.map { [section, $0] }))
        self.insertItems(at: Set(change.insertedIndices.map { [section, $0] }))
      }
    }
  }
#endif
