#if os(Linux)
  internal import FreshetCurl
  import Foundation

  /// A result of libcurl that is not a success.
  struct CurlError: Error, Hashable, CustomStringConvertible {
    let code: Int32
    /// The meaning of the code; nothing about the exchange.
    let description: String
    /// What is known of the exchange beside that.
    let circumstances: Circumstances
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
      /// The connection ended before the request was sent.
      case endBeforeRequest
      /// The system has refused a socket, or a way to the server, by this `errno`.
      case refusedBySystem(Int32)
      /// There was no memory for the request.
      case noMemory
      /// The bytes are not valid HTTP/2.
      case malformedHTTP2
    }

    /// What is known of an exchange that has failed.
    struct Circumstances: Hashable {
      /// The status with which a proxy refused to connect to the server; nil where none did.
      var proxyStatus: Int?
      /// Whether the request, or a part of it, may have been sent.
      var mayBeSent = true
      /// The `errno` of the connection that could not be made; 0 for none.
      var connectError: Int32 = 0
    }

    /// Creates the error of an exchange.
    ///
    /// - Parameters:
    ///   - code: the result of libcurl.
    ///   - library: what the code is from.
    ///   - text: what libcurl wrote about the failure. It may name files and hosts, and is not kept.
    ///   - hasClientCertificate: whether a certificate of the client is configured.
    ///   - circumstances: what is known of the exchange beside that.
    init(
      _ code: Int32, _ library: CurlLibrary, text: String = "", hasClientCertificate: Bool = false,
      _ circumstances: Circumstances = Circumstances()
    ) {
      self.code = code
      self.circumstances = circumstances
      description = String(cString: freshet_easy_text(library.curl, code))
      let known = freshet_curl_code(UInt32(bitPattern: code))
      let text = text.lowercased()
      if circumstances.proxyStatus != nil {
        cause = nil
      } else if known == FRESHET_CURL_SSL_CONNECT_ERROR, TLSFailure.isInterruption(text) {
        cause = .endOfHandshake
      } else if let failure = TLSFailure(
        known, text: text, hasClientCertificate: hasClientCertificate)
      {
        cause = .tls(failure)
      } else if text.hasPrefix("invalid content-length") {
        cause = .malformedLength
      } else if text.hasPrefix("too large response headers")
        || text.hasPrefix("connect response too large")
      {
        cause = .largeHead
      } else if text.hasPrefix("unsupported proxy") {
        cause = .unusableProxy
      } else {
        cause = Cause(known, text, circumstances)
      }
    }
  }

  extension CurlError.Cause {
    /// Determines the cause from a result that has several, or any text; nil for none.
    fileprivate init?(
      _ code: freshet_curl_code, _ text: String, _ circumstances: CurlError.Circumstances
    ) {
      switch code {
      case FRESHET_CURL_OUT_OF_MEMORY, FRESHET_CURL_TOO_LARGE:
        self = circumstances.mayBeSent ? .longLine : .noMemory
      case FRESHET_CURL_COULDNT_CONNECT:
        // That a server refuses connections is what the result itself means.
        guard ![0, ECONNREFUSED, ETIMEDOUT].contains(circumstances.connectError) else { return nil }
        self = .refusedBySystem(circumstances.connectError)
      case FRESHET_CURL_SEND_ERROR, FRESHET_CURL_RECV_ERROR, FRESHET_CURL_GOT_NOTHING:
        if !circumstances.mayBeSent {
          self = .endBeforeRequest
        } else if text.contains("chunk") || text.contains("malformed encoding") {
          self = .malformedChunks
        } else if text.contains("nghttp2_session_mem_recv") {
          self = .malformedHTTP2
        } else {
          return nil
        }
      case FRESHET_CURL_HTTP2, FRESHET_CURL_HTTP2_STREAM:
        guard text.contains("protocol_error") else { return nil }
        self = .malformedHTTP2
      default:
        return nil
      }
    }
  }

  extension CurlError.Circumstances {
    /// Reads what libcurl knows of an exchange that has ended, before its handle is removed.
    init(of easy: OpaquePointer, _ library: CurlLibrary) {
      // Of the last response: an earlier one may have asked for credentials.
      let status = Int(freshet_easy_proxy_status(library.curl, easy))
      proxyStatus = status >= 300 ? status : nil
      mayBeSent = freshet_easy_may_have_sent(library.curl, easy)
      connectError = freshet_easy_connect_error(library.curl, easy)
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
      case .noMemory where request.hasLargeHead,
        .longLine where head == nil && request.hasLargeHead:
        self.init(
          .invalidRequest,
          "\(request.summary): URL and header fields have about a megabyte or more, which libcurl does "
            + "not send. Make them shorter.", underlying: error)
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
      case .endBeforeRequest:
        self.init(
          .unreachable,
          "\(request.summary): the connection ended before the request was sent. Check the server, and the "
            + "proxy if the environment names one, or retry later.", underlying: error)
        return
      case .refusedBySystem(let code):
        self.init(
          .unreachable, "\(request.summary): \(TransportError.refusal(bySystem: code))",
          underlying: error)
        return
      case .noMemory:
        self = .noResources(request)
        underlying = error
        return
      case .malformedHTTP2 where head == nil:
        self.init(
          .badResponse,
          "\(request.summary): the head of the response is too large or not valid HTTP/2, or the server takes "
            + "that of the request for invalid. Report it to the server's owner.", underlying: error
        )
        return
      case .longLine, .largeHead, .malformedHTTP2, nil: break
      }
      let code =
        error.circumstances.proxyStatus == nil
        ? freshet_curl_code(UInt32(bitPattern: error.code)) : FRESHET_CURL_PROXY
      let (kind, reason) = TransportError.meaning(
        of: code, hasHead: head != nil, proxyStatus: error.circumstances.proxyStatus)
      self.init(
        kind,
        "\(request.summary): \(reason)" + (kind == .connectionLost ? request.adviceAfterLoss : ""),
        underlying: error)
    }

    /// What it means that the system has no socket for a connection, or no way to the server, and what to do.
    private static func refusal(bySystem code: Int32) -> String {
      let reason = String(cString: strerror(code))
      switch code {
      case EMFILE, ENFILE:
        return
          "the system has no socket for it: \(reason). Close files, or raise the limit of open files."
      case ENOMEM, ENOBUFS:
        return "the system has no socket for it: \(reason). Retry later."
      case EACCES, EPERM:
        return
          "the system does not allow the connection: \(reason). Check firewall and permissions."
      default:
        return
          "no connection to the server, or to the proxy that the environment names, is possible: "
          + "\(reason). Check the network and the address."
      }
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

  extension HTTPRequest {
    /// Whether URL and header fields are near the 1 MiB that libcurl makes of a head at most.
    fileprivate var hasLargeHead: Bool {
      headers.fields.reduce(urlString.utf8.count) {
        $0 + $1.name.utf8.count + $1.value.utf8.count + 4
      } > 1_000_000
    }
  }
#endif
