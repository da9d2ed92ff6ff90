import Foundation

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#elseif canImport(AppKit)
  import AppKit
#elseif canImport(WatchKit)
  import WatchKit
#endif
#if canImport(Network)
  import Network
#endif

/// A trigger for reloading observed, stale resources and lists.
///
/// It is a time interval, the return of the network, or the elements of any asynchronous sequence.
///
/// See ``Service/loadIfNeeded(matching:on:_:)``.
public struct ReloadTrigger: Sendable {
  /// Waits for the next time after a time of the clock; false when there is none.
  typealias Wait = @Sendable @concurrent (_ start: Duration) async -> Bool

  /// Begins to watch for it.
  let start: @Sendable (any StoreClock) -> Wait
  /// Whether loads that have failed are repeated at once, and not after the time that they wait otherwise.
  let retriesFailures: Bool

  /// Returns a trigger that fires at an interval on the service's clock, from the end of the loads to the next ones.
  ///
  /// - Parameter interval: at least a millisecond.
  public static func every(_ interval: Duration) -> ReloadTrigger {
    let interval = max(interval, .milliseconds(1))
    return ReloadTrigger(
      start: { clock in
        { start in
          let purpose = TimerPurpose.other("reload at an interval")
          return (try? await clock.sleep(until: start + interval, purpose: purpose)) != nil
        }
      }, retriesFailures: false)
  }

  /// Returns a trigger that fires for each element of an asynchronous sequence.
  ///
  /// Elements that come while the loads of an earlier one are under way count as one.
  ///
  /// - Parameters:
  ///   - sequence: iterated from the call of ``Service/loadIfNeeded(matching:on:_:)`` until that ends. A
  ///     sequence that is for one consumer, as a stream is, serves one call.
  ///   - retriesFailures: whether loads that have failed are repeated at once: for elements that mean
  ///     that the cause of the failures has passed, as when the network returns.
  public static func elements<Elements: AsyncSequence & Sendable>(
    of sequence: Elements, retryingFailures retriesFailures: Bool = false
  ) -> ReloadTrigger {
    ReloadTrigger(retryingFailures: retriesFailures) {
      relay { fire in
        // A sequence that fails has ended.
        do { for try await _ in sequence { fire() } } catch {}
      }
    }
  }

  #if canImport(UIKit) || canImport(AppKit) || canImport(WatchKit)
    /// A trigger that fires when the app becomes active.
    public static var appBecameActive: ReloadTrigger {
      #if canImport(UIKit) && !os(watchOS)
        let name = UIApplication.didBecomeActiveNotification
      #elseif canImport(AppKit)
        let name = NSApplication.didBecomeActiveNotification
      #else
        let name = WKApplication.didBecomeActiveNotification
      #endif
      return ReloadTrigger(retryingFailures: false) {
        relay { fire in
          for await _ in NotificationCenter.default.notifications(named: name).map({ _ in () }) {
            fire()
          }
        }
      }
    }
  #endif

  #if canImport(Network)
    /// A trigger that fires when the network is available again after it was lost; failed loads are repeated
    /// immediately.
    public static var networkReturned: ReloadTrigger {
      networkReturned {
        let monitor = NWPathMonitor()
        let (states, continuation) = AsyncStream<Bool>.makeStream()
        monitor.pathUpdateHandler = { continuation.yield($0.status == .satisfied) }
        continuation.onTermination = { _ in monitor.cancel() }
        monitor.start(queue: DispatchQueue(label: "freshet.network"))
        return states
      }
    }
  #endif

  /// Reloads when a network is available again after it was lost; loads that have failed are repeated at once.
  ///
  /// - Parameter states: makes a stream of whether the network is available, whenever anything about it
  ///   changes; called for each use of the trigger.
  static func networkReturned(
    _ states: @escaping @Sendable () -> AsyncStream<Bool>
  ) -> ReloadTrigger {
    ReloadTrigger(retryingFailures: true) {
      let states = states()
      return relay { fire in
        // A change from one network to another is not a return.
        var wasLost = false
        for await isAvailable in states {
          if wasLost, isAvailable { fire() }
          wasLost = !isAvailable
        }
      }
    }
  }
}

extension ReloadTrigger {
  /// Reloads at each element of a stream that is made for each use of the trigger.
  private init(
    retryingFailures retriesFailures: Bool, _ stream: @escaping @Sendable () -> AsyncStream<Void>
  ) {
    self.init(
      start: { _ in
        let stream = stream()
        return { _ in
          var iterator = stream.makeAsyncIterator()
          return await iterator.next() != nil
        }
      }, retriesFailures: retriesFailures)
  }

  /// A stream with an element for each call of `fire`, which ends with the operation; elements that come before
  /// the next read count as one.
  ///
  /// - Parameter operation: begun at once, and cancelled if the stream is not read any more.
  private static func relay(
    _ operation: @escaping @Sendable @concurrent (_ fire: @Sendable () -> Void) async -> Void
  ) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      await operation { continuation.yield() }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
