import Foundation

#if canImport(Glibc)
  import Glibc

  /// The processor time of the process so far, user and system, without that of the threads whose
  /// name begins with `prefix`; nil if the system does not report it.
  ///
  /// The threads that are left out must not end between two calls.
  func processorTime(withoutThreads prefix: String) -> Duration? {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0,
      let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    else { return nil }
    var nanoseconds = time.tv_sec * 1_000_000_000 + time.tv_nsec
    for thread in threads {
      guard text("/proc/self/task/\(thread)/comm").hasPrefix(prefix) else { continue }
      let fields = text("/proc/self/task/\(thread)/schedstat").split(separator: " ")
      nanoseconds -= fields.first.flatMap { Int($0) } ?? 0
    }
    return .nanoseconds(nanoseconds)
  }

  private func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
#else
  /// The processor time of the process so far; nil if the system does not report it.
  func processorTime(withoutThreads prefix: String) -> Duration? { nil }
#endif
