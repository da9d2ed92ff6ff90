import Foundation

/// The error of a ``LoopbackServer`` that could not start listening.
public struct SocketError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The system call that failed, such as `bind`.
  public let call: String
  /// The error number of the system, such as `EADDRINUSE`.
  public let code: Int32

  /// The call and the system's description of the error.
  public var description: String {
    "LoopbackServer: \(call) failed: \(String(cString: strerror(code))) (\(code))"
  }

  /// Creates the error of the call that has just failed.
  init(call: String) {
    self.call = call
    code = errno
  }
}
