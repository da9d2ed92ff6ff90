import Foundation

/// A value that only one thread at a time can access.
///
/// The only `@unchecked Sendable` of the module. It is sound because `value` is private and every
/// access goes through `withLock`, and because `Value` is `Sendable`, so that a value that a body
/// returns may be shared. (`Synchronization.Mutex` would need no box, but requires macOS 15 and iOS
/// 18.)
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

extension Locked<Int> {
  /// Counts one more, and returns the new count.
  package func next() -> Int {
    withLock { count in
      count += 1
      return count
    }
  }
}
