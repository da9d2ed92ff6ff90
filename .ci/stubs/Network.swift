// swift-format-ignore-file
// The declarations of Network that Freshet uses.

import Dispatch

public struct NWPath: Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
  public let status: Status
}

public final class NWPathMonitor: Sendable {
  public init() {}
  public nonisolated(unsafe) var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
  public func start(queue: DispatchQueue) {}
  public func cancel() {}
}
