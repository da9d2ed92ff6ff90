#if os(Linux)
  import Foundation
  import Testing

  @testable import Freshet
  @testable import FreshetTesting

  @Suite(
    "Bytes after a response, where its connection is used again in the same step",
    .standardTimeLimit)
  struct UnrequestedBytesInOneStepTests {
    /// What libcurl receives at once here.
    private static let bufferSize = 16_384

    /// A response with as many bytes as libcurl receives at once, so that what follows stays on the connection.
    private static var response: [UInt8] {
      var count = bufferSize
      while true {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n".utf8)
        guard head.count + count > bufferSize else {
          return head + Array(repeating: UInt8(ascii: "1"), count: count)
        }
        count -= 1
      }
    }

    /// Begins an exchange.
    private func begin(
      _ url: URL, _ library: CurlLibrary, in multi: CurlMulti
    ) throws -> (easy: OpaquePointer, transfer: CurlTransfer) {
      var configuration = TransportConfiguration()
      configuration.ignoresProxies = true
      let transfer = CurlTransfer(HTTPRequest(url: url), library)
      let easy = try transfer.makeHandle(configuration, .any)
      var options = CurlOptions(library: library, easy: easy)
      options.setBufferSize(Self.bufferSize)
      #expect(multi.add(easy, hasTLS: transfer.hasTLS))
      return (easy, transfer)
    }

    @Test("They are not the response to the next request")
    func sameStep() async throws {
      let library = try CurlLibrary.system.get()
      let (permissions, permission) = AsyncStream<Void>.makeStream()
      let unrequested = Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n666".utf8)
      let server = try LoopbackServer { request in
        guard request.url.path() == "/a" else { return .response(body: Data("b".utf8)) }
        for await _ in permissions { break }
        return .script([.send(Self.response + unrequested), .finish])
      }
      let multi = try #require(CurlMulti(library))
      let first = try begin(server.url.appending(path: "a"), library, in: multi)
      while server.requests.isEmpty {
        multi.perform()
        multi.wait(until: .now + .milliseconds(10))
      }
      permission.yield()
      // Everything is on the connection, and libcurl has received nothing of it.
      await server.openConnections(atMost: 0)
      let second = try begin(server.url.appending(path: "b"), library, in: multi)

      var codes: [OpaquePointer: Int32] = [:]
      while codes.count < 2 {
        multi.perform()
        while let (easy, code) = multi.nextDone() { codes[easy] = code }
        if codes.count < 2 { multi.wait(until: .now + .milliseconds(10)) }
      }
      let firstCode = try #require(codes[first.easy])
      #expect(first.transfer.finish(firstCode)?.body.first == UInt8(ascii: "1"))
      // It was not sent, and will be on a new connection; or libcurl has made that by itself.
      let code = try #require(codes[second.easy])
      let isBegunAgain = second.transfer.prepareAgain(after: code)
      #expect(isBegunAgain || second.transfer.finish(code)?.body == Data("b".utf8))
      #expect(server.requests.count == (isBegunAgain ? 1 : 2))
      for (easy, transfer) in [first, second] {
        multi.remove(easy)
        transfer.free()
      }
      multi.free()
    }

    @Test(
      "Only a connection without TLS is known to have no frames of HTTP/2 before its first response"
    )
    func tls() throws {
      let library = try CurlLibrary.system.get()
      for (url, hasTLS) in [
        ("http://a.test:81/", false), ("https://a.test/", true), ("HTTP://A.TEST", false),
      ] {
        let request = HTTPRequest(url: try #require(URL(string: url)))
        #expect(CurlTransfer(request, library).hasTLS == hasTLS)
      }
    }
  }
#endif
