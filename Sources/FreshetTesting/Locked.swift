import Foundation

/// A value that one thread at a time may touch.
///
/// The only `@unchecked Sendable` of the module. It is sound because `value` is private and every
/// access goes through `withLock`, and because `Value` is `Sendable`, so that what a body takes out
/// may be shared. (`Synchronization.Mutex` would need no box, but not before macOS 15 and iOS 18.)
///
/// Bodies are short and call no one else's code: callbacks and continuations run after the lock.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) {
    self.value = value
  }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}
