// The parts of UIKit that the documentation's code uses, to type-check that code on Linux. No body does
// anything.

@_exported import Foundation

@MainActor open class UIWindow: UIView {}
@MainActor open class UIView {
  public init() {}
  open var window: UIWindow? { nil }
}
@MainActor open class UILabel: UIView { open var text: String? }
@MainActor open class UITableViewCell: UIView { open var textLabel: UILabel? }

@MainActor open class UITableView: UIView {
  public enum Style: Sendable { case plain }
  public enum RowAnimation: Sendable { case automatic }
  open func reloadData() {}
  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}
  open func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {}
  open func insertRows(at paths: [IndexPath], with animation: RowAnimation) {}
}

@MainActor open class UICollectionView: UIView {
  open func reloadData() {}
  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}
  open func deleteItems(at paths: [IndexPath]) {}
  open func insertItems(at paths: [IndexPath]) {}
}

public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? { nil }
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] { [] }
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {}
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection section: SectionIdentifierType? = nil
  ) {}
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {}
}

@MainActor open class UITableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
  public typealias CellProvider = (UITableView, IndexPath, ItemIdentifierType) -> UITableViewCell?
  public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    NSDiffableDataSourceSnapshot()
  }
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {}
}

@MainActor open class UICollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    NSDiffableDataSourceSnapshot()
  }
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {}
}

@MainActor public final class UIApplication {
  public nonisolated static let didBecomeActiveNotification = Notification.Name("active")
}

extension NotificationCenter {
  public func notifications(named name: Notification.Name) -> Notifications { Notifications() }

  public struct Notifications: AsyncSequence, Sendable {
    public struct AsyncIterator: AsyncIteratorProtocol {
      public mutating func next() async -> Notification? { nil }
    }
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }
}

@MainActor open class UIViewController {
  public init() {}
  public required init?(coder: NSCoder) { nil }
  open func viewDidLoad() {}
}

@MainActor open class UITableViewController: UIViewController {
  open var tableView: UITableView! = UITableView()
  public init(style: UITableView.Style) { super.init() }
  public required init?(coder: NSCoder) { nil }
  open func tableView(_ view: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  open func tableView(_ view: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
}

extension IndexPath { public var row: Int { self[1] } }
