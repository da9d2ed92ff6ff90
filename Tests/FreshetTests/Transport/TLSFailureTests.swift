#if os(Linux)
  import Foundation
  import FreshetTesting
  import Testing

  @testable import Freshet

  @Suite("Failures of TLS", .standardTimeLimit)
  struct TLSFailureTests {
    /// What libcurl 7.88 with OpenSSL 3 reported of real servers, unless another library is named.
    static let reports: [(code: Int32, text: String, failure: TLSFailure)] = [
      // TLS 1.3, and a server that requires a certificate of the client.
      (
        56,
        "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A00045C:SSL routines::tlsv13 alert certificate "
          + "required, errno 0", .clientCertificateRequired
      ),
      (
        55, "SSL_write() error: error:0A00045C:SSL routines::tlsv13 alert certificate required",
        .clientCertificateRequired
      ),
      // GnuTLS.
      (56, "GnuTLS recv error (-12): Certificate is required", .clientCertificateRequired),
      (98, "", .clientCertificateRequired),
      // Some servers say so where there is no certificate.
      (
        35, "error:0A000412:SSL routines::sslv3 alert bad certificate", .clientCertificateRequired
      ),
      (35, "OpenSSL/3.0.19: error:0A000410:SSL routines::sslv3 alert handshake failure", .refused),
      (60, "SSL certificate problem: certificate has expired", .expiredCertificate),
      (60, "SSL certificate problem: certificate is not yet valid", .expiredCertificate),
      (60, "SSL certificate problem: self-signed certificate", .untrustedCertificate),
      (
        60, "SSL certificate problem: unable to get local issuer certificate", .untrustedCertificate
      ),
      (60, "SSL certificate problem: certificate revoked", .untrustedCertificate),
      (
        60, "SSL: no alternative certificate subject name matches target host name 'localhost'",
        .wrongHost
      ),
      (60, "SSL: certificate subject name 'a' does not match target host name 'b'", .wrongHost),
      // Whatever the names are.
      (
        60,
        "SSL: no alternative certificate subject name matches target host name 'expired.example.com'",
        .wrongHost
      ),
      (
        60, "SSL: no alternative certificate subject name matches target ipv4 address '127.0.0.1'",
        .wrongHost
      ),
      (
        60, "SSL: certificate subject name 'o'expired' does not match target hostname 'b'",
        .wrongHost
      ),
      (60, "SSL certificate problem: hostname mismatch", .wrongHost),
      (60, "SSL certificate problem: IP address mismatch", .wrongHost),
      (60, "SSL: unable to obtain common name from peer certificate", .wrongHost),
      (60, "SSL certificate problem: subject issuer mismatch", .untrustedCertificate),
      // GnuTLS.
      (
        60, "SSL: certificate subject name (expired) does not match target host name 'b'",
        .wrongHost
      ),
      (60, "server certificate expiration date has passed.", .expiredCertificate),
      (60, "server certificate not activated yet.", .expiredCertificate),
      (
        60,
        "server verification failed: certificate has expired. (CAfile: /not match/a.pem CRLfile: none)",
        .expiredCertificate
      ),
      (
        60, "server certificate verification failed. CAfile: /expired/a.pem CRLfile: none",
        .untrustedCertificate
      ),
      (60, "", .untrustedCertificate),
      (35, "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", .notTLS),
      (
        35, "OpenSSL/3.0.19: error:0A00014D:SSL routines::legacy sigalg disallowed or unsupported",
        .noCommonProtocol
      ),
      (35, "error:0A000102:SSL routines::unsupported protocol", .noCommonProtocol),
      (35, "error:0A00042E:SSL routines::tlsv1 alert protocol version", .noCommonProtocol),
      (35, "error:0A000458:SSL routines::tlsv1 unrecognized name alert", .refused),
      (35, "something else", .other),
      (
        35, "OpenSSL SSL_connect: No route to host in connection to alert.example.com:443 ", .other
      ),
      (77, "error setting certificate file: /nowhere", .unusableFile),
      (58, "could not load PEM client certificate from /nowhere", .unusableFile),
    ]

    func error(
      _ code: Int32, _ text: String, hasClientCertificate: Bool = false,
      method: HTTPMethod = .get, proxyStatus: Int? = nil
    ) throws -> TransportError {
      let library = try CurlLibrary.system.get()
      let url = try #require(URL(string: "https://a.test/items?token=secret"))
      return TransportError(
        CurlError(
          code, library, text: text, hasClientCertificate: hasClientCertificate,
          CurlError.Circumstances(proxyStatus: proxyStatus)),
        request: HTTPRequest(method: method, url: url), head: nil)
    }

    @Test("say why", arguments: reports)
    func reasons(code: Int32, text: String, failure: TLSFailure) throws {
      let error = try error(code, text)
      #expect(error.kind == .insecureConnection)
      #expect(error.underlying as? TLSFailure == failure)
      #expect(error.message == "GET https://a.test/items: \(failure)")
      #expect(!ResourceError(error, timestamp: Date()).isTransient)
    }

    @Test(
      "distinguish a certificate of the client that is refused from one that is missing",
      arguments: [
        (56, "tlsv13 alert certificate required"), (56, "tlsv1 alert unknown ca, errno 0"),
        (35, "sslv3 alert bad certificate"), (35, "sslv3 alert certificate expired"),
        (35, "tlsv1 alert access denied"), (92, "tlsv1 alert unknown ca"),
      ])
    func clientCertificate(code: Int, text: String) throws {
      let code = Int32(code)
      #expect(try error(code, text).underlying as? TLSFailure == .clientCertificateRequired)
      #expect(
        try error(code, text, hasClientCertificate: true).underlying as? TLSFailure
          == .clientCertificateRefused)
    }

    @Test(
      "are none of a connection that broke",
      arguments: [
        "Recv failure: Connection reset by peer", "OpenSSL SSL_read: SSL_ERROR_SYSCALL, errno 104",
        "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0",
        "error:0A000438:SSL routines::tlsv1 alert internal error", "",
      ])
    func brokenConnection(text: String) throws {
      for code: Int32 in [55, 56, 16, 92] {
        let error = try error(code, text)
        #expect(error.kind == .connectionLost)
        #expect(!(error.underlying is TLSFailure))
      }
    }

    @Test(
      "are none of a connection that ended in the handshake: it may be made later",
      arguments: [
        "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a.test:443 ",
        "Recv failure: Connection reset by peer",
        "OpenSSL SSL_connect: Connection reset by peer in connection to a.test:443 ",
        "error:0A000126:SSL routines::unexpected eof while reading",
        "gnutls_handshake() failed: The TLS connection was non-properly terminated.",
      ])
    func interruption(text: String) throws {
      let error = try error(35, text, method: .post)
      #expect(error.kind == .unreachable)
      // It was not sent.
      #expect(!error.message.contains("acted on"))
      #expect(ResourceError(error, timestamp: Date()).isTransient)
    }

    @Test("are none where a proxy refuses the connection")
    func proxy() throws {
      let error = try error(56, "CONNECT tunnel failed, response 503", proxyStatus: 503)
      #expect(error.kind == .unreachable)
      #expect(error.message.contains("503"))
    }

    @Test("are none where a proxy demands other credentials, which is not to be attempted again")
    func proxyCredentials() throws {
      let error = try error(56, "CONNECT tunnel failed, response 407", proxyStatus: 407)
      #expect(error.kind == .invalidRequest)
      #expect(error.message.contains("the proxy demands other credentials (407)"))
      #expect(!ResourceError(error, timestamp: Date()).isTransient)
    }

    @Test("show nothing of what libcurl wrote")
    func secrets() throws {
      for code: Int32 in 1...99 {
        for text in ["canary", "ALERT CERTIFICATE canary", "SSL_ERROR_SYSCALL canary"] {
          let error = try error(code, text)
          var dumped = ""
          dump(error, to: &dumped)
          dump(error.underlying, to: &dumped)
          #expect(!"\(error) \(error.debugDescription) \(dumped)".contains("canary"))
          #expect(!error.message.contains("secret"))
        }
      }
    }

    @Test("A server without TLS is not one whose certificate is at fault")
    func plain() async throws {
      let server = try LoopbackServer { _ in .response() }
      let url = try #require(
        URL(string: server.url.absoluteString.replacing("http:", with: "https:")))
      let error = await #expect(throws: TransportError.self) {
        try await CurlTransport().send(HTTPRequest(url: url)) { _ in }
      }
      #expect(error?.kind == .insecureConnection)
      #expect(error?.underlying as? TLSFailure == .notTLS)
    }
  }
#endif
