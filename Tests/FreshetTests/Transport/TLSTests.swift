#if os(Linux)
  import Foundation
  import Testing

  @testable import Freshet
  @testable import FreshetTesting

  @Suite(
    // One after another: each waits for processes on a thread of the tasks.
    "TLS, with a server of the command openssl", .standardTimeLimit, .serialized,
    .enabled(if: OpenSSLServer.isAvailable))
  struct TLSTests {
    private func send(
      to url: String, _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) async throws -> HTTPResponse {
      var configuration = TransportConfiguration()
      configuration.ignoresProxies = true
      change(&configuration)
      let request = HTTPRequest(url: try #require(URL(string: url)))
      return try await CurlTransport(configuration: configuration).send(request) { _ in }
    }

    private func failure(
      to url: String, _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) async -> TransportError? {
      await #expect(throws: TransportError.self) { try await send(to: url, change) }
    }

    @Test("reaches a server whose certificate is from an authority of the configuration")
    func trusted() async throws {
      let server = try OpenSSLServer()
      let response = try await send(to: server.url) {
        $0.certificateAuthoritiesFile = server.certificate
      }
      #expect(response.status == 200)
      #expect(response.body == Data("[1]".utf8))
    }

    @Test("refuses a server whose certificate is not from one")
    func untrusted() async throws {
      let server = try OpenSSLServer()
      let error = await failure(to: server.url)
      #expect(error?.kind == .insecureConnection)
      #expect(error?.underlying as? TLSFailure == .untrustedCertificate)
    }

    @Test("refuses a server whose certificate is for another host")
    func wrongHost() async throws {
      let server = try OpenSSLServer()
      let error = await failure(
        to: server.url.replacing("127.0.0.1", with: "localhost")
      ) { $0.certificateAuthoritiesFile = server.certificate }
      #expect(error?.underlying as? TLSFailure == .wrongHost)
    }

    @Test("identifies the client where the server requires it, also by a key with a password")
    func client() async throws {
      // Before 1.3 the server refuses within the handshake: its alert arrives before the connection ends.
      let server = try OpenSSLServer(
        "-Verify", "1", "-verify_return_error", "-CAfile", "certificate.pem", "-tls1_2")
      func configure(
        _ key: String?, _ password: String?
      ) -> (inout TransportConfiguration) -> Void {
        { configuration in
          configuration.certificateAuthoritiesFile = server.certificate
          guard let key else { return }
          configuration.clientCertificate = .init(
            certificateFile: server.certificate, keyFile: key, keyPassword: password)
        }
      }
      let refusal = await failure(to: server.url, configure(nil, nil))
      #expect(refusal?.kind == .insecureConnection)
      #expect(try await send(to: server.url, configure(server.key, nil)).status == 200)
      #expect(try await send(to: server.url, configure(server.lockedKey, "canary")).status == 200)
      let error = await failure(to: server.url, configure(server.lockedKey, "canary of no use"))
      #expect(error?.underlying as? TLSFailure == .unusableFile)
      #expect(error?.message.contains("canary") == false)
    }
  }

  /// A server with TLS on 127.0.0.1, which has one response. Its certificate may be that of a client too.
  private final class OpenSSLServer {
    private let folder = TemporaryFolder()
    private let process = Process()
    let url: String

    private static let executable = URL(filePath: "/usr/bin/openssl")

    /// Whether the machine has the command. The toolchain does not need it.
    static var isAvailable: Bool {
      FileManager.default.isExecutableFile(atPath: executable.path)
    }

    var certificate: String { folder.file("certificate.pem").path }
    var key: String { folder.file("key.pem").path }
    /// The same key, with the password `canary`.
    var lockedKey: String { folder.file("locked.pem").path }

    /// Starts a server.
    ///
    /// - Parameter options: further options of `openssl s_server`.
    init(_ options: String...) throws {
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      let body = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n[1]"
      try Data(body.utf8).write(to: folder.file("items"))
      let commands = [
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -days 2"
          + " -out certificate.pem -subj /CN=a -addext subjectAltName=IP:127.0.0.1",
        "pkey -in key.pem -aes256 -passout pass:canary -out locked.pem",
      ]
      for command in commands {
        let made = Process()
        try Self.start(made, command.split(separator: " ").map(String.init), in: folder)
        made.waitUntilExit()
        #expect(made.terminationStatus == 0)
      }
      let output = Pipe()
      process.standardOutput = output
      try Self.start(
        process,
        "s_server -accept 127.0.0.1:0 -HTTP -cert certificate.pem -key key.pem".split(
          separator: " "
        )
        .map(String.init) + options, in: folder)
      var text = ""
      while text.firstMatch(of: /ACCEPT [^\n]*:(\d+)\n/) == nil {
        let data = output.fileHandleForReading.availableData
        try #require(!data.isEmpty, "openssl s_server has ended")
        text += String(decoding: data, as: UTF8.self)
      }
      let port = try #require(text.firstMatch(of: /ACCEPT [^\n]*:(\d+)\n/)).output.1
      url = "https://127.0.0.1:\(port)/items"
    }

    deinit {
      // The command has the signals blocked that the thread which started it has, SIGTERM among them.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    private static func start(
      _ process: Process, _ arguments: [String], in folder: TemporaryFolder
    ) throws {
      // By a shell: `currentDirectoryURL` changes that of the whole process for a moment, also for other tests.
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments =
        ["-c", #"cd "$0" && exec "$@""#, folder.url.path, executable.path] + arguments
      process.standardInput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
    }
  }
#endif
