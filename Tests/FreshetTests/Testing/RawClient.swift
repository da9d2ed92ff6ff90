import Dispatch
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A bare TCP client, to see what a server does byte by byte. Closed when it is released.
///
/// It blocks on threads of its own queue and never on the pool that runs the tests.
final class RawClient: Sendable {
  struct Failure: Error {
    let code = errno
  }

  enum Ending: Equatable {
    case closed
    case reset
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "RawClient")

  init(_ url: URL) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(url.port ?? 0).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure() }  // `deinit` runs, for all properties are set
    // A test that waits in vain fails, and does not hang. On a busy machine a response may take minutes.
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    close(descriptor)
  }

  /// Sends text with CR LF in place of each line break.
  func send(_ text: String) {
    sendBytes(
      Array(
        text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n").utf8
      ))
  }

  func sendBytes(_ bytes: [UInt8]) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0, flags) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    sendto(descriptor, bytes.baseAddress, bytes.count, flags, nil, 0)
  }

  /// What one call to `recv` brings; empty at the end.
  func receive() async -> String {
    await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: String(decoding: self.read() ?? [], as: UTF8.self))
      }
    }
  }

  /// Everything up to the end of the connection, and how it ended.
  func receiveAll() async -> (text: String, ending: Ending) {
    await withCheckedContinuation { continuation in
      queue.async {
        var all: [UInt8] = []
        while let bytes = self.read() {
          if bytes.isEmpty {
            return continuation.resume(returning: (String(decoding: all, as: UTF8.self), .closed))
          }
          all += bytes
        }
        continuation.resume(returning: (String(decoding: all, as: UTF8.self), .reset))
      }
    }
  }

  private func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    return count < 0 ? nil : Array(buffer[..<count])
  }
}
