#if os(Linux)
  import Foundation
  import Testing

  @testable import Freshet

  @Suite("Failures of libcurl that are about a proxy")
  struct CurlErrorTests {
    private func error(_ code: Int32, _ text: String) throws -> TransportError {
      let library = try CurlLibrary.system.get()
      let request = HTTPRequest(url: try #require(URL(string: "https://a.test/items")))
      return TransportError(CurlError(code, library, text: text), request: request, head: nil)
    }

    @Test(
      "a head that is too large, which is mostly its response to CONNECT",
      arguments: ["Too large response headers: 307300 > 307200", "CONNECT response too large"])
    func largeHead(text: String) throws {
      let error = try error(56, text)
      #expect(error.kind == .badResponse)
      #expect(
        error.message.contains("the head of the response, or of that of a proxy, is too large"))
    }

    @Test(
      "a URL in the environment that cannot be used, which is not to be attempted again",
      arguments: [
        (7, "Unsupported proxy scheme for 'socks9://canary@a.test'"),
        (5, "Unsupported proxy syntax in 'canary'"),
        (4, "Unsupported proxy 'canary', libcurl is built without the HTTPS-proxy support."),
      ] as [(Int32, String)])
    func unusable(code: Int32, text: String) throws {
      let error = try error(code, text)
      #expect(error.kind == .invalidRequest)
      #expect(error.message.contains("the URL of the proxy, in the environment, cannot be used"))
      #expect(!"\(error.message)".contains("canary"))
      #expect(!ResourceError(error, timestamp: Date()).isTransient)
    }
  }
#endif
