#if os(Linux)
  internal import FreshetCurl

  extension TLSFailure {
    /// Determines the failure from a result of libcurl; nil if TLS did not fail.
    ///
    /// In TLS 1.3 a server refuses the certificate of a client after the handshake, when the client may
    /// have sent its request: libcurl then reports that receiving failed. The cause is in the text alone,
    /// which is that of the TLS library: names of alerts are those of RFC 8446 section 6, in OpenSSL.
    ///
    /// The text may also name a host, a certificate or a file, and those may have any words in them. So a name that
    /// does not match is looked for before a date, and what comes after the other names is not read.
    ///
    /// - Parameters:
    ///   - code: the result.
    ///   - text: what libcurl wrote about the failure, in lower case.
    ///   - hasClientCertificate: whether a certificate of the client is configured.
    init?(_ code: freshet_curl_code, text: String, hasClientCertificate: Bool) {
      let text = Text(of: text)
      switch code {
      case FRESHET_CURL_SSL_CERTPROBLEM, FRESHET_CURL_SSL_CACERT_BADFILE,
        FRESHET_CURL_SSL_CRL_BADFILE:
        self = .unusableFile
      case FRESHET_CURL_PEER_FAILED_VERIFICATION:
        self = Self.refusal(ofCertificate: text)
      case FRESHET_CURL_SSL_CLIENTCERT:
        self = Self.refusal(hasClientCertificate: hasClientCertificate)
      case FRESHET_CURL_SSL_ISSUER_ERROR, FRESHET_CURL_SSL_PINNEDPUBKEYNOTMATCH,
        FRESHET_CURL_SSL_INVALIDCERTSTATUS:
        self = .untrustedCertificate
      case FRESHET_CURL_SEND_ERROR, FRESHET_CURL_RECV_ERROR, FRESHET_CURL_HTTP2,
        FRESHET_CURL_HTTP2_STREAM:
        guard text.isRefusalOfClient else { return nil }
        self = Self.refusal(hasClientCertificate: hasClientCertificate)
      case FRESHET_CURL_SSL_CONNECT_ERROR, FRESHET_CURL_SSL_CIPHER, FRESHET_CURL_USE_SSL_FAILED,
        FRESHET_CURL_SSL_ENGINE_NOTFOUND, FRESHET_CURL_SSL_ENGINE_SETFAILED,
        FRESHET_CURL_SSL_ENGINE_INITFAILED:
        self =
          text.isRefusalOfClient
          ? Self.refusal(hasClientCertificate: hasClientCertificate)
          : Self.failure(ofHandshake: text)
      default:
        return nil
      }
    }

    /// The failure of a server's certificate.
    private static func refusal(ofCertificate text: Text) -> TLSFailure {
      if text.has(
        "matches target", "not match", "name mismatch", "ip address mismatch", "common name")
      {
        return .wrongHost
      }
      return text.has(
        "expired", "not yet valid", "not yet activated", "not activated yet", "expiration date")
        ? .expiredCertificate : .untrustedCertificate
    }

    /// The failure if a server refuses the client.
    private static func refusal(hasClientCertificate: Bool) -> TLSFailure {
      hasClientCertificate ? .clientCertificateRefused : .clientCertificateRequired
    }

    /// The failure of a handshake, other than a refusal of the client.
    private static func failure(ofHandshake text: Text) -> TLSFailure {
      if text.has("wrong version number", "http request", "packet length", "not ssl") {
        return .notTLS
      }
      if text.has(
        "alert protocol version", "unsupported protocol", "unsupported version", "no protocols",
        "legacy sigalg", "version too low", "no ciphers", "no shared cipher", "too small",
        "insufficient security", "unknown protocol")
      {
        return .noCommonProtocol
      }
      return text.has("alert") ? .refused : .other
    }

    /// What libcurl wrote about a failure, up to the paths of files that GnuTLS names, and the host that OpenSSL does.
    private struct Text {
      private let text: Substring

      init(of text: String) {
        self.text = ["cafile:", " in connection to "].reduce(text[...]) { text, mark in
          text.firstRange(of: mark).map { text[..<$0.lowerBound] } ?? text
        }
      }

      /// Whether any of these parts is in it.
      func has(_ parts: String...) -> Bool { parts.contains { text.contains($0) } }

      /// Whether a server refuses the client. Some refuse one without a certificate with the alert of a bad one.
      var isRefusalOfClient: Bool {
        has(
          "certificate required", "certificate is required", "alert bad certificate",
          "alert unsupported certificate", "alert certificate ", "alert unknown ca",
          "alert access denied")
      }
    }

    /// Whether a failure of the handshake is the end of the connection, without an alert.
    ///
    /// - Parameter text: what libcurl wrote about the failure, in lower case.
    static func isInterruption(_ text: String) -> Bool {
      [
        "ssl_error_syscall", "unexpected eof", "connection reset", "broken pipe", "timed out",
        "non-properly terminated", "in the pull function", "in the push function",
      ].contains { text.contains($0) }
    }
  }
#endif
