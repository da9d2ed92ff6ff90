#if os(Linux)
  import Foundation
  import Testing

  /// What the process uses and may use, as the system counts it. To limit it is for tests in a process of their own.
  enum ProcessResources {
    /// The memory in use, in bytes.
    static func resident() throws -> Int { try value(of: "VmRSS") }
    /// The largest amount that was in use so far.
    static func peak() throws -> Int { try value(of: "VmHWM") }

    /// Lets the process have only so many more bytes of heap, stacks and the like.
    static func limitMemory(to count: Int) throws {
      try setLimit(RLIMIT_DATA, to: try value(of: "VmData") + count)
    }

    /// Lets the process open only so many more files, if none of the open ones is closed.
    static func limitDescriptors(to count: Int) throws {
      // Numbers below the highest one may be free: a process inherits some of those of its parent.
      let free = (0..<count).map { _ in dup(STDERR_FILENO) }
      for descriptor in free { close(descriptor) }
      try setLimit(RLIMIT_NOFILE, to: Int(try #require(free.last)) + 1)
    }

    private static func setLimit(_ resource: __rlimit_resource, to value: Int) throws {
      let resource = __rlimit_resource_t(resource.rawValue)
      var limit = rlimit()
      getrlimit(resource, &limit)
      limit.rlim_cur = rlim_t(value)
      try #require(setrlimit(resource, &limit) == 0)
    }

    private static func value(of name: String) throws -> Int {
      let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(
        separator: "\n")
      let line = try #require(lines.first { $0.hasPrefix("\(name):") })
      return try #require(Int(line.filter(\.isNumber))) << 10
    }
  }
#endif
