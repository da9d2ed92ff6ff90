#if os(Linux)
  import Foundation

  /// A value that only one thread at a time can access.
  ///
  /// Over pthread: the thread sanitizer does not see into `Synchronization.Mutex`, and reports what
  /// that protects. `@unchecked`: the value is private, and each access has the mutex.
  ///
  /// Bodies are short and call no one else's code: continuations are resumed after the lock.
  final class CurlLock<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
      self.value = value
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deinitialize(count: 1)
      mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body(&value)
    }
  }
#endif
