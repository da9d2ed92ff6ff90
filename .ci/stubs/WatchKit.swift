// swift-format-ignore-file
// The declarations of WatchKit and Foundation that Freshet uses on Apple's platforms alone.

import Foundation

@MainActor public final class WKApplication {
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
