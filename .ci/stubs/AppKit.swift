// swift-format-ignore-file
// The declarations of AppKit and Foundation that Freshet uses on Apple's platforms alone.

import Foundation

@MainActor public final class NSApplication {
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

@MainActor open class NSWindow {}
@MainActor open class NSView { open var window: NSWindow? { nil } }

@MainActor open class NSTableView: NSView {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let effectFade = AnimationOptions(rawValue: 1)
  }
  open func reloadData() {}
  open func beginUpdates() {}
  open func endUpdates() {}
  open func removeRows(at rows: IndexSet, withAnimation animation: AnimationOptions) {}
  open func insertRows(at rows: IndexSet, withAnimation animation: AnimationOptions) {}
}

@MainActor open class NSCollectionView: NSView {
  open func reloadData() {}
  open func performBatchUpdates(_ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil) {}
  open func deleteItems(at paths: Set<IndexPath>) {}
  open func insertItems(at paths: Set<IndexPath>) {}
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
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {}
}

@MainActor open class NSTableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    NSDiffableDataSourceSnapshot()
  }
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool, completion: (() -> Void)? = nil
  ) {}
}

@MainActor open class NSCollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    NSDiffableDataSourceSnapshot()
  }
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool, completion: (() -> Void)? = nil
  ) {}
}
