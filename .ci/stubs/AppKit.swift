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

@MainActor open class NSTableView {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let effectFade = AnimationOptions(rawValue: 1)
  }
  open func beginUpdates() {}
  open func endUpdates() {}
  open func removeRows(at rows: IndexSet, withAnimation animation: AnimationOptions) {}
  open func insertRows(at rows: IndexSet, withAnimation animation: AnimationOptions) {}
}
