#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension LoopbackServer.Socket {
  /// A listening socket; `port` 0 chooses a free one.
  static func listening(
    port: UInt16, host: LoopbackServer.Host
  ) throws(SocketError) -> Self {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    let descriptor = socket(host == .ipv4 ? AF_INET : AF_INET6, type, 0)
    guard descriptor >= 0 else { throw SocketError(call: "socket") }
    do throws(SocketError) {
      keepFromChildren(descriptor)
      set(SO_REUSEADDR, to: Int32(1), on: descriptor)
      // A client may leave between `poll` and `accept`, which must not block then.
      guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw SocketError(call: "fcntl") }
      try claim(port, of: host, for: descriptor)
      guard listen(descriptor, SOMAXCONN) == 0 else { throw SocketError(call: "listen") }
      return Self(descriptor: descriptor, port: try boundPort(of: descriptor))
    } catch {
      closeDescriptor(descriptor)
      throw error
    }
  }

  private static func claim(
    _ port: UInt16, of host: LoopbackServer.Host, for descriptor: Int32
  ) throws(SocketError) {
    switch host {
    case .ipv4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      try claim(address, for: descriptor)
    case .ipv6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      try claim(address, for: descriptor)
    }
  }

  private static func claim<Address>(
    _ address: Address, for descriptor: Int32
  ) throws(SocketError) {
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard status == 0 else { throw SocketError(call: "bind") }
  }

  private static func boundPort(of descriptor: Int32) throws(SocketError) -> UInt16 {
    // Large enough for either kind, which have their port at the same place.
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &size)
      }
    }
    guard status == 0 else { throw SocketError(call: "getsockname") }
    return UInt16(bigEndian: address.sin6_port)
  }

  /// The next connection, ready for use; nil if its client has left.
  func nextConnection() -> Self? {
    let accepted = accept(descriptor, nil, nil)
    guard accepted >= 0 else {
      // Out of descriptors: the connection stays in the queue, and accepting again at once would
      // spin.
      if errno == EMFILE || errno == ENFILE { poll(nil, 0, 10) }
      return nil
    }
    Self.keepFromChildren(accepted)
    _ = fcntl(accepted, F_SETFL, 0)  // on Darwin it inherits O_NONBLOCK
    Self.set(TCP_NODELAY, level: Int32(IPPROTO_TCP), to: Int32(1), on: accepted)
    #if canImport(Darwin)
      Self.set(SO_NOSIGPIPE, to: Int32(1), on: accepted)
    #endif
    return Self(descriptor: accepted, port: port)
  }
}

extension LoopbackServer.Socket {
  /// Wakes the thread that waits to accept: a pipe, because not every system can shut down a
  /// listener.
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

    /// Wakes the waiting thread, now or later. Must be called once: it closes the writing end.
    func ring() {
      closeDescriptor(ringing)
    }

    func closeWaitingEnd() {
      closeDescriptor(waiting)
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
