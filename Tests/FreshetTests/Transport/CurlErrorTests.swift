#if os(Linux)
  import Foundation
  import Testing

  @testable import Freshet

  @Suite("Failures of libcurl whose cause is in its text or the exchange")
  struct CurlErrorTests {
    private func error(
      _ code: Int32, _ text: String, _ circumstances: CurlError.Circumstances = .init(),
      head: ResponseAssembly.Head? = nil
    ) throws -> TransportError {
      let library = try CurlLibrary.system.get()
      let request = HTTPRequest(
        method: .post, url: try #require(URL(string: "https://a.test/items")))
      return TransportError(
        CurlError(code, library, text: text, circumstances), request: request, head: head)
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

    @Test(
      "a head that is not valid HTTP/2, which is not to be requested again",
      arguments: [
        (92, "HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1)"),
        (
          56,
          "nghttp2_session_mem_recv() returned -902:The user callback function failed"
        ),
      ] as [(Int32, String)])
    func malformedHTTP2(code: Int32, text: String) throws {
      let failure = try error(code, text)
      #expect(failure.kind == .badResponse)
      #expect(failure.message.contains("too large or not valid HTTP/2"))
      // After a head it may be a body that a server before this one has cut short.
      let head = ResponseAssembly.Head(status: 200, headers: [:])
      #expect(try error(code, text, head: head).kind == .connectionLost)
      let other = "HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)"
      #expect(try error(92, other).kind == .connectionLost)
    }

    @Test(
      "a connection that ended before the request was sent", arguments: [52, 55, 56] as [Int32])
    func endBeforeRequest(code: Int32) throws {
      let failure = try error(code, "Proxy CONNECT aborted", .init(mayBeSent: false))
      #expect(failure.kind == .unreachable)
      #expect(failure.message.contains("before the request was sent"))
      #expect(!failure.message.contains("acted on"))
      let sent = try error(code, "Recv failure: Connection reset by peer")
      #expect(sent.kind == .connectionLost)
      #expect(sent.message.contains("acted on"))
    }

    @Test("no memory before the request was sent, which is no fault of a response")
    func memory() throws {
      #expect(try error(27, "", .init(mayBeSent: false)).message.contains("has no memory"))
      #expect(try error(27, "").message.contains("a line in the head"))
    }

    @Test(
      "what the system says of a connection that it does not make",
      arguments: [
        (EMFILE, "raise the limit of open files"), (ENOBUFS, "Retry later"),
        (EPERM, "Check firewall and permissions"),
        (ENETUNREACH, "Check the network and the address"),
        (ECONNREFUSED, "does not accept connections"), (0, "does not accept connections"),
      ] as [(Int32, String)])
    func refusedBySystem(code: Int32, advice: String) throws {
      let failure = try error(7, "Failed to connect", .init(connectError: code))
      #expect(failure.kind == .unreachable)
      #expect(failure.message.contains(advice))
      #expect(ResourceError(failure, timestamp: Date()).isTransient)
    }
  }
#endif
