import Foundation
public struct URLSessionTransport: Transport { public init() {}
  @concurrent public func send(_ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void) async throws -> HTTPResponse { throw TransportError(.unreachable, "shim") } }
enum HTTPFreshness {
  static func remainingLifetime(of: HTTPResponse, receivedAt: Date, delay: Duration) -> Duration? { nil }
  static func forbidsStoring(_ r: HTTPResponse) -> Bool { false }
}
extension HTTPHeaders { func merging(notModified f: HTTPHeaders) -> HTTPHeaders { self } }
