#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension LoopbackServer {
  /// A blocking TCP socket on 127.0.0.1, and the few system calls that a server needs.
  ///
  /// It does not own its descriptor: whoever opened it closes it, once.
  struct Socket: Sendable {
    let descriptor: Int32
    /// The local port.
    let port: UInt16

    /// A socket that listens; `port` 0 takes a free one.
    static func listening(port: UInt16) throws(SocketError) -> Socket {
      #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
      #else
        let type = SOCK_STREAM
      #endif
      let descriptor = socket(AF_INET, type, 0)
      guard descriptor >= 0 else { throw SocketError(call: "socket") }
      do throws(SocketError) {
        keepFromChildren(descriptor)
        set(SO_REUSEADDR, to: Int32(1), on: descriptor)
        // A client may go between `poll` and `accept`, which must not block then.
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw SocketError(call: "fcntl") }
        try bind(descriptor, to: port)
        guard listen(descriptor, SOMAXCONN) == 0 else { throw SocketError(call: "listen") }
        return Socket(descriptor: descriptor, port: try boundPort(of: descriptor))
      } catch {
        LoopbackServer.closeDescriptor(descriptor)
        throw error
      }
    }

    private static func bind(_ descriptor: Int32, to port: UInt16) throws(SocketError) {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          LoopbackServer.bindDescriptor(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard status == 0 else { throw SocketError(call: "bind") }
    }

    private static func boundPort(of descriptor: Int32) throws(SocketError) -> UInt16 {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getsockname(descriptor, $0, &size)
        }
      }
      guard status == 0 else { throw SocketError(call: "getsockname") }
      return UInt16(bigEndian: address.sin_port)
    }

    /// The next connection, ready for use, or nil where it went away again.
    func accept() -> Socket? {
      let accepted = LoopbackServer.acceptDescriptor(descriptor)
      guard accepted >= 0 else {
        // Out of descriptors: the connection stays in the queue, and asking at once would spin.
        if errno == EMFILE || errno == ENFILE { poll(nil, 0, 10) }
        return nil
      }
      Socket.keepFromChildren(accepted)
      _ = fcntl(accepted, F_SETFL, 0)  // on Darwin it inherits O_NONBLOCK
      Socket.set(TCP_NODELAY, level: Int32(IPPROTO_TCP), to: Int32(1), on: accepted)
      #if canImport(Darwin)
        Socket.set(SO_NOSIGPIPE, to: Int32(1), on: accepted)
      #endif
      return Socket(descriptor: accepted, port: port)
    }

    /// Reads what is there, waiting for the first byte; zero or less at the end of input.
    func receive(into buffer: inout [UInt8]) -> Int {
      while true {
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count < 0, errno == EINTR else { return count }
      }
    }

    /// Writes all bytes, in one call where the system takes them; false where the client is gone.
    func send(_ bytes: [UInt8]) -> Bool {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      return bytes.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let slice = UnsafeRawBufferPointer(rebasing: rest)
          let count = LoopbackServer.sendBytes(descriptor, slice, flags)
          if count < 0 && errno == EINTR { continue }
          guard count > 0 else { return false }
          rest = rest.dropFirst(count)
        }
        return true
      }
    }

    /// Waits that long, or until the connection is broken or shut down.
    func pause(for duration: Duration) {
      _ = wait(for: 0, duration)
    }

    /// Waits for events; false where the time is up.
    private func wait(for events: Int32, _ duration: Duration) -> Bool {
      let deadline = ContinuousClock.now + duration
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      while true {
        let left = max(.zero, deadline - .now)
        // Rounded up, so as not to ask again and again in the last millisecond.
        let count = poll(&entry, 1, Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up))))
        if count > 0 { return true }
        if count == 0 && deadline <= .now { return false }
        if count < 0 && errno != EINTR { return false }
      }
    }

    /// Reads and drops whatever comes until the client leaves or the socket is shut down.
    func waitForEnd() {
      var dropped = [UInt8](repeating: 0, count: 4 << 10)
      while receive(into: &dropped) > 0 {}
    }

    /// Ends the output, then waits a second at most for the client to end its own.
    ///
    /// Closing with unread input would reset the connection and could overtake the last answer.
    func finish() {
      _ = shutdown(descriptor, Int32(SHUT_WR))
      var dropped = [UInt8](repeating: 0, count: 4 << 10)
      let deadline = ContinuousClock.now + .seconds(1)
      while wait(for: Int32(POLLIN), deadline - .now), receive(into: &dropped) > 0 {}
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
      LoopbackServer.closeDescriptor(descriptor)
    }

    /// Lets no child process inherit it.
    fileprivate static func keepFromChildren(_ descriptor: Int32) {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func set<Value: BitwiseCopyable>(
      _ option: Int32, level: Int32 = SOL_SOCKET, to value: Value, on descriptor: Int32
    ) {
      withUnsafeBytes(of: value) { bytes in
        _ = setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
      }
    }
  }
}

extension LoopbackServer.Socket {
  /// Wakes the thread that waits to accept: a pipe, for a listener cannot be shut down everywhere.
  struct Alarm: Sendable {
    fileprivate let waiting: Int32
    private let ringing: Int32

    init() throws(SocketError) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw SocketError(call: "pipe") }
      waiting = ends[0]
      ringing = ends[1]
      for end in ends { LoopbackServer.Socket.keepFromChildren(end) }
    }

    /// Wakes whoever waits, now or later. To be called once: it closes the ringing end.
    func ring() {
      LoopbackServer.closeDescriptor(ringing)
    }

    func closeWaitingEnd() {
      LoopbackServer.closeDescriptor(waiting)
    }
  }

  /// Waits for a connection to accept; false once the alarm has rung.
  func waitToAccept(or alarm: Alarm) -> Bool {
    var entries = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.waiting, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&entries, nfds_t(entries.count), -1) < 0, errno == EINTR {}
    return entries[1].revents == 0
  }
}

// Inside the types above, the members hide the system calls of the same names.
extension LoopbackServer {
  private static func closeDescriptor(_ descriptor: Int32) {
    _ = close(descriptor)
  }

  private static func bindDescriptor(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
  ) -> Int32 {
    bind(descriptor, address, size)
  }

  private static func acceptDescriptor(_ descriptor: Int32) -> Int32 {
    accept(descriptor, nil, nil)
  }

  private static func sendBytes(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32
  ) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, flags)
  }
}
