#if os(Linux)
  internal import FreshetCurl

  /// A result of libcurl that is not a success.
  struct CurlError: Error, Hashable, CustomStringConvertible {
    let code: Int32
    /// The meaning of the code; nothing about the exchange.
    let description: String
    /// The status of a proxy that refused to connect to the server; nil if none did.
    let proxyStatus: Int?
    /// What the code alone does not say.
    let cause: Cause?

    enum Cause: Hashable {
      case tls(TLSFailure)
      /// The connection ended during the handshake of TLS: no request was sent.
      case endOfHandshake
      /// The body is not in chunks as announced.
      case malformedChunks
      /// The length of the body is not a number.
      case malformedLength
      /// The response has a header line that is too long.
      case longLine
      /// The head is too large: mostly that of a proxy, because that of the server has a limit of its own.
      case largeHead
      /// The proxy is one that libcurl does not know, or its URL cannot be read.
      case unusableProxy
    }

    /// Creates the error of an exchange.
    ///
    /// - Parameters:
    ///   - code: the result of libcurl.
    ///   - library: what the code is from.
    ///   - text: what libcurl wrote about the failure. It may name files and hosts, and is not kept.
    ///   - hasClientCertificate: whether a certificate of the client is configured.
    ///   - proxyStatus: the status of a proxy that refused to connect to the server; nil if none did.
    init(
      _ code: Int32, _ library: CurlLibrary, text: String = "", hasClientCertificate: Bool = false,
      proxyStatus: Int? = nil
    ) {
      self.code = code
      self.proxyStatus = proxyStatus
      description = String(cString: freshet_easy_text(library.curl, code))
      let known = freshet_curl_code(UInt32(bitPattern: code))
      let text = text.lowercased()
      if proxyStatus != nil {
        cause = nil
      } else if known == FRESHET_CURL_SSL_CONNECT_ERROR, TLSFailure.isInterruption(text) {
        cause = .endOfHandshake
      } else if let failure = TLSFailure(
        known, text: text, hasClientCertificate: hasClientCertificate)
      {
        cause = .tls(failure)
      } else if known == FRESHET_CURL_RECV_ERROR,
        text.contains("chunk") || text.contains("malformed encoding")
      {
        cause = .malformedChunks
      } else if text.hasPrefix("invalid content-length") {
        cause = .malformedLength
      } else if text.hasPrefix("too large response headers")
        || text.hasPrefix("connect response too large")
      {
        cause = .largeHead
      } else if text.hasPrefix("unsupported proxy") {
        cause = .unusableProxy
      } else if known == FRESHET_CURL_OUT_OF_MEMORY || known == FRESHET_CURL_TOO_LARGE {
        cause = .longLine
      } else {
        cause = nil
      }
    }
  }

  extension TransportError {
    /// The error if the system has no memory or thread for an exchange.
    static func noResources(_ request: HTTPRequest) -> TransportError {
      TransportError(
        .unreachable, "\(request.summary): the system has no memory or thread for the request.")
    }

    /// Creates the error for an option of an exchange that libcurl does not accept, with that result.
    init(optionFailure result: Int32, of request: HTTPRequest) {
      guard result != FRESHET_CURL_OUT_OF_MEMORY.rawValue else {
        self = .noResources(request)
        return
      }
      self.init(
        .invalidRequest,
        "\(request.summary): libcurl does not accept the method, the URL or the configuration of the "
          + "transport. Check that none of their texts has megabytes.")
    }

    /// Creates a transport error from a failure of libcurl.
    ///
    /// - Parameters:
    ///   - error: the result of libcurl.
    ///   - request: the request that was sent.
    ///   - head: the head of the response, if it was received.
    init(_ error: CurlError, request: HTTPRequest, head: ResponseAssembly.Head?) {
      switch error.cause {
      case .tls(let failure):
        self.init(.insecureConnection, "\(request.summary): \(failure)", underlying: failure)
        return
      case .endOfHandshake:
        self.init(
          .unreachable,
          "\(request.summary): the connection ended during the TLS handshake. Retry later, or check "
            + "that the server has TLS on that port.", underlying: error)
        return
      case .malformedChunks:
        self.init(
          .badResponse,
          "\(request.summary): the chunks of the body are malformed. Report it to the server's owner.",
          underlying: error)
        return
      case .malformedLength:
        self = .malformedLength(of: request)
        underlying = error
        return
      case .longLine where head == nil:
        self.init(
          .badResponse,
          "\(request.summary): a line in the head of the response is too long. Report it to the "
            + "server's owner.", underlying: error)
        return
      case .largeHead where head == nil:
        self.init(
          .badResponse,
          "\(request.summary): the head of the response, or of that of a proxy, is too large. Report it to "
            + "the owner of the server or the proxy.", underlying: error)
        return
      case .unusableProxy:
        self.init(
          .invalidRequest,
          "\(request.summary): the URL of the proxy, in the environment, cannot be used. Check its scheme, "
            + "such as http or socks5h, and its form.", underlying: error)
        return
      case .longLine, .largeHead, nil: break
      }
      let code =
        error.proxyStatus == nil
        ? freshet_curl_code(UInt32(bitPattern: error.code)) : FRESHET_CURL_PROXY
      let (kind, reason) = TransportError.meaning(
        of: code, hasHead: head != nil, proxyStatus: error.proxyStatus)
      self.init(
        kind,
        "\(request.summary): \(reason)" + (kind == .connectionLost ? request.adviceAfterLoss : ""),
        underlying: error)
    }

    private static func meaning(
      of code: freshet_curl_code, hasHead: Bool, proxyStatus: Int?
    ) -> (Kind, String) {
      switch code {
      case FRESHET_CURL_URL_MALFORMAT:
        (.invalidRequest, "the URL cannot be used. Check it, or the redirect that leads to it.")
      case FRESHET_CURL_OPERATION_TIMEDOUT:
        (.timedOut, "the server did not respond in time. Retry later.")
      case FRESHET_CURL_COULDNT_RESOLVE_HOST:
        (.unreachable, "the host name is not known. Check the name and the network.")
      case FRESHET_CURL_COULDNT_RESOLVE_PROXY:
        (.unreachable, "the name of the proxy is not known. Check the environment.")
      case FRESHET_CURL_COULDNT_CONNECT:
        (
          .unreachable,
          "the server, or the proxy that the environment names, does not accept connections. Check "
            + "that it runs on that port."
        )
      case FRESHET_CURL_PROXY where proxyStatus == 407:
        (
          .invalidRequest,
          "the proxy demands other credentials (407). Set those in the URL of the proxy, in the "
            + "environment."
        )
      case FRESHET_CURL_PROXY:
        (
          .unreachable,
          "the proxy does not let the connection through"
            + (proxyStatus.map { ", with status \($0)" } ?? "")
            + ". Check the environment, and the credentials of the proxy in it."
        )
      case FRESHET_CURL_GOT_NOTHING:
        (.connectionLost, "the server closed the connection without a response.")
      case FRESHET_CURL_PARTIAL_FILE:
        (.connectionLost, "the connection ended before the body was complete.")
      case FRESHET_CURL_SEND_ERROR, FRESHET_CURL_RECV_ERROR, FRESHET_CURL_SEND_FAIL_REWIND,
        FRESHET_CURL_HTTP2, FRESHET_CURL_HTTP2_STREAM:
        (.connectionLost, "the connection broke before the response was complete.")
      case FRESHET_CURL_FILESIZE_EXCEEDED:
        (.tooLarge, "the response announces more bytes than can be counted.")
      default:
        (
          .badResponse,
          hasHead
            ? "the body is not readable as HTTP. Report it to the server's owner."
            : "the response is not readable as HTTP. Check the URL, or report it to the server's owner."
        )
      }
    }
  }
#endif
