#if os(Linux)
  internal import FreshetCurl

  /// The connections of a transport, and the exchanges on them.
  ///
  /// `@unchecked`: all but `wakeup` is called by the thread that runs the exchanges.
  struct CurlMulti: @unchecked Sendable {
    private let curl: OpaquePointer
    private let pointer: OpaquePointer

    /// The most connections that are kept for later exchanges.
    private static let keptConnections = 64
    /// How long to wait at most, in milliseconds; libcurl and wake-ups shorten it.
    private static let longestWait: Int32 = 3_600_000

    init?(_ library: CurlLibrary) {
      guard let pointer = freshet_multi_new(library.curl) else { return nil }
      curl = library.curl
      self.pointer = pointer
      freshet_multi_set_long(curl, pointer, FRESHET_MULTI_MAXCONNECTS, Self.keptConnections)
    }

    func wakeup() { freshet_multi_wakeup(curl, pointer) }
    func perform() { freshet_multi_perform(curl, pointer) }
    /// Waits for a socket, a wake-up or the time.
    func wait(until deadline: ContinuousClock.Instant?) {
      let left =
        deadline.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) } ?? .infinity
      // Rounded up, so that the time has come after the wait.
      freshet_multi_poll(
        curl, pointer, Int32(min(max(left, 0), Double(Self.longestWait)).rounded(.up)))
    }
    func add(_ easy: OpaquePointer, hasTLS: Bool) -> Bool {
      freshet_multi_add(curl, pointer, easy, hasTLS) == 0
    }
    func remove(_ easy: OpaquePointer) { freshet_multi_remove(curl, pointer, easy) }
    func free() { freshet_multi_free(curl, pointer) }

    /// An exchange that has ended, and its result.
    func nextDone() -> (easy: OpaquePointer, code: Int32)? {
      var code: Int32 = 0
      return freshet_multi_next_done(curl, pointer, &code).map { ($0, code) }
    }
  }
#endif
