import Foundation
import Freshet

enum Transports {
  static func send(to url: URL) async throws -> HTTPResponse {
    // snippet
    let transport = SystemTransport()
    let response = try await transport.send(HTTPRequest(url: url)) { _ in }
    // end
    return response
  }

  /// Compiled, never called: the server is an example.
  @MainActor
  static func configured() -> Service {
    // snippet
    var configuration = TransportConfiguration()
    configuration.userAgent = "Reader/1.0"
    let service = Service(
      baseURL: "https://api.example.com", transport: SystemTransport(configuration: configuration))
    // end
    return service
  }
}
