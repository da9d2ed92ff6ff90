#if os(Linux)
  import Foundation

  /// Sends a request to a server that responds with any bytes, in pieces: it ends in a response or an error.
  func fuzzCurlTransport(_ input: FuzzInput) {
    var input = input
    let (seed, done) = (input.byte(), Pipe.make())
    let transport = RawServer.transport
    guard let url = URL(string: "http://127.0.0.1:\(RawServer.shared.port)/a?token=canary") else {
      fail("no URL")
    }
    let request = HTTPRequest(
      method: seed & 128 == 0 ? .get : .post, url: url,
      body: seed & 128 == 0 ? nil : Data("1".utf8),
      maximumResponseSize: 1_000)
    Task {
      do throws(TransportError) {
        let response = try await send(request, with: transport)
        require((200...599).contains(response.status), "a status of \(response.status)")
        require(response.body.count <= 1_000, "\(response.body.count) bytes of 1000 allowed")
        for field in response.headers.fields {
          require(
            HTTPHeaders.isValidName(field.name) && HTTPHeaders.isOneLine(field.value), "\(field)"
          )
        }
      } catch {
        require(!error.message.contains("canary"), "a secret in \(error.message)")
        require(!error.message.contains(where: \.isNewline), "lines: \(error.message)")
      }
      await finishExchanges(of: transport)
      close(done.write)
    }
    RawServer.shared.serve(input.bytes.pieces(seed), until: done.read)
    close(done.read)
  }

  private func send(
    _ request: HTTPRequest, with transport: CurlTransport
  ) async throws(TransportError) -> HTTPResponse {
    do {
      return try await transport.send(request) { _ in }
    } catch let error as TransportError {
      throw error
    } catch {
      fail("\(error) is no error of a transport")
    }
  }

  /// Waits until the thread of a transport has released what it has delivered, by an exchange after that, which
  /// fails: nothing listens at port 1.
  ///
  /// The search for leaks counts a body that the thread still holds, because `Data` keeps its pointer with other
  /// bits in it.
  private func finishExchanges(of transport: CurlTransport) async {
    guard let url = URL(string: "http://127.0.0.1:1/") else { fail("no URL") }
    _ = try? await transport.send(HTTPRequest(url: url)) { _ in }
  }

  private enum Pipe {
    static func make() -> (read: Int32, write: Int32) {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { fail("no pipe") }
      return (ends[0], ends[1])
    }
  }

  /// A socket that listens, and no more.
  private struct RawServer {
    static let shared = RawServer()
    /// Follows no redirect: that would lead out of this machine.
    static let transport: CurlTransport = {
      var configuration = TransportConfiguration()
      configuration.maximumRedirects = 0
      return CurlTransport(configuration: configuration)
    }()

    let port: UInt16
    private let listener: Int32

    init() {
      signal(SIGPIPE, SIG_IGN)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isListening = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, size) == 0 && listen(listener, 64) == 0
            && getsockname(listener, $0, &size) == 0
        }
      }
      require(isListening, "no socket")
      self.listener = listener
      port = UInt16(bigEndian: address.sin_port)
    }

    /// Responds to all connections with these pieces, until there is anything to read at a descriptor.
    func serve(_ pieces: [ArraySlice<UInt8>], until done: Int32) {
      while true {
        var waiting = [
          pollfd(fd: done, events: Int16(POLLIN), revents: 0),
          pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
        ]
        require(poll(&waiting, 2, 25_000) > 0, "no end within 25 seconds")
        if waiting[0].revents != 0 { return }
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { continue }
        var request = [UInt8](repeating: 0, count: 4_096)
        _ = recv(connection, &request, request.count, 0)
        for piece in pieces
        where piece.withUnsafeBytes({ write(connection, $0.baseAddress, $0.count) }) < 0 {
          break
        }
        shutdown(connection, Int32(SHUT_WR))
        close(connection)
      }
    }
  }
#else
  func fuzzCurlTransport(_ input: FuzzInput) {}
#endif
