#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension LoopbackServer {
  /// A blocking TCP socket on a loopback address, and the few system calls that a server needs.
  ///
  /// It does not own its descriptor: the code that opened it closes it, once.
  struct Socket: Sendable {
    let descriptor: Int32
    /// The local port.
    let port: UInt16

    /// Reads the available bytes, and waits for the first one; zero or less at the end of input.
    func receive(into buffer: inout [UInt8]) -> Int {
      while true {
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count < 0, errno == EINTR else { return count }
      }
    }

    /// Writes all bytes, in one call if the system accepts them; false if the client has left.
    func write(_ bytes: [UInt8]) -> Bool {
      #if canImport(Darwin)
        let flags: Int32 = 0  // `SO_NOSIGPIPE` is set
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      return bytes.withUnsafeBytes { bytes in
        var sent = 0
        while sent < bytes.count {
          let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
          let count = send(descriptor, rest.baseAddress, rest.count, flags)
          if count < 0 && errno == EINTR { continue }
          guard count > 0 else { return false }
          sent += count
        }
        return true
      }
    }

    /// Waits for a duration; returns false as soon as the client leaves or the socket is shut down.
    func pause(for duration: Duration) -> Bool {
      let deadline = ContinuousClock.now + duration
      guard wait(for: Int32(POLLIN), until: deadline) else { return true }
      var byte: UInt8 = 0
      guard recv(descriptor, &byte, 1, Int32(MSG_PEEK)) > 0 else { return false }
      // The next request has arrived already; from now on only a broken connection ends the wait.
      return !wait(for: 0, until: deadline)
    }

    /// Waits for events; false if the time is up.
    private func wait(for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      while true {
        let left = min(max(.zero, deadline - .now), .seconds(3600))
        // Rounded up, so as not to poll again and again in the last millisecond.
        let count = poll(&entry, 1, Int32((left / .milliseconds(1)).rounded(.up)))
        if count > 0 { return true }
        if count == 0 && deadline <= .now { return false }
        if count < 0 && errno != EINTR { return false }
      }
    }

    /// Reads and drops all input until the client leaves or the socket is shut down.
    func waitForEnd() {
      var dropped = [UInt8](repeating: 0, count: 4 << 10)
      while receive(into: &dropped) > 0 {}
    }

    /// Ends the output, then waits a second at most for the client to end its own.
    ///
    /// Closing with unread input would reset the connection and could discard the last response.
    func finish() {
      _ = shutdown(descriptor, Int32(SHUT_WR))
      var dropped = [UInt8](repeating: 0, count: 4 << 10)
      let deadline = ContinuousClock.now + .seconds(1)
      while wait(for: Int32(POLLIN), until: deadline), receive(into: &dropped) > 0 {}
    }

    /// Ends both directions; a thread that is blocked on the socket wakes up.
    func shutDown() {
      _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Makes `close` send a reset.
    func resetWhenClosed() {
      Socket.set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0), on: descriptor)
    }

    func close() {
      closeDescriptor(descriptor)
    }

    /// Keeps a descriptor from being inherited by child processes.
    static func keepFromChildren(_ descriptor: Int32) {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    static func set<Value: BitwiseCopyable>(
      _ option: Int32, level: Int32 = SOL_SOCKET, to value: Value, on descriptor: Int32
    ) {
      withUnsafeBytes(of: value) { bytes in
        _ = setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
      }
    }
  }
}

/// The system call, which the method of the same name hides inside ``LoopbackServer/Socket``.
func closeDescriptor(_ descriptor: Int32) {
  _ = close(descriptor)
}
