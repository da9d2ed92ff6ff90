#if os(Linux)
  internal import FreshetCurl
  import Foundation

  /// Sets the options of an easy handle; one that an older libcurl does not have is left out.
  struct CurlOptions {
    let library: CurlLibrary
    let easy: OpaquePointer
    /// The first result for an option that libcurl has and could not set: without it, another request would be sent
    /// than was meant, with another method or without a credential.
    private(set) var failure: Int32?

    /// `CURL_ERROR_SIZE`, with its terminating zero.
    static let errorTextSize = 256

    /// Sets what is the same for all requests: the transport alone decides what is sent, where to, and
    /// what becomes of the response.
    mutating func set(_ configuration: TransportConfiguration) {
      set(FRESHET_OPT_NOSIGNAL, 1)
      // Without it, the cancellation of an exchange waits for the name of its host (since 7.87).
      set(FRESHET_OPT_QUICK_EXIT, 1)
      // The newer of the two came with 7.85.
      if !set(FRESHET_OPT_PROTOCOLS_STR, "http,https") {
        set(FRESHET_OPT_PROTOCOLS, Int(FRESHET_PROTO_HTTP_AND_HTTPS.rawValue))
      }
      set(FRESHET_OPT_HTTP_VERSION, Int(FRESHET_HTTP_VERSION_2TLS.rawValue))
      set(FRESHET_OPT_HTTP09_ALLOWED, 0)
      set(FRESHET_OPT_FOLLOWLOCATION, 0)
      set(FRESHET_OPT_PATH_AS_IS, 1)
      set(FRESHET_OPT_DISALLOW_USERNAME_IN_URL, 1)
      set(FRESHET_OPT_NETRC, 0)
      set(FRESHET_OPT_SUPPRESS_CONNECT_HEADERS, 1)
      set(FRESHET_OPT_HTTP_CONTENT_DECODING, 0)
      // The store's deadline comes first.
      set(FRESHET_OPT_CONNECTTIMEOUT, 7 * 24 * 60 * 60)
      setBufferSize(64 << 10)
      // An empty text counts more than the environment.
      if configuration.ignoresProxies { set(FRESHET_OPT_PROXY, "") }
      if let file = configuration.certificateAuthoritiesFile {
        set(FRESHET_OPT_CAINFO, file)
        set(FRESHET_OPT_CAPATH, nil)
      }
      if let certificate = configuration.clientCertificate {
        set(FRESHET_OPT_SSLCERT, certificate.certificateFile)
        set(FRESHET_OPT_SSLKEY, certificate.keyFile)
        if let password = certificate.keyPassword { set(FRESHET_OPT_KEYPASSWD, password) }
      }
    }

    /// Sets how many bytes libcurl receives at once.
    mutating func setBufferSize(_ count: Int) { set(FRESHET_OPT_BUFFERSIZE, count) }

    /// Sets what connection the exchange may have.
    mutating func set(_ connection: ConnectionChoice) {
      switch connection {
      case .any: break
      // It came with 7.80.
      case .notOlder(let seconds) where set(FRESHET_OPT_MAXLIFETIME_CONN, seconds): break
      case .new: set(FRESHET_OPT_FRESH_CONNECT, 1)
      case .notOlder, .own: useOwnConnection()
      }
    }

    private mutating func useOwnConnection() {
      set(FRESHET_OPT_FRESH_CONNECT, 1)
      // It ends with its exchange: kept, it would be one more than the limit each time.
      set(FRESHET_OPT_FORBID_REUSE, 1)
    }

    /// Sets what is sent.
    ///
    /// - Returns: the header lines, to be freed after the handle.
    mutating func set(_ request: HTTPRequest) -> OpaquePointer? {
      set(FRESHET_OPT_URL, request.urlString)
      let hasBody = !(request.body?.isEmpty ?? true)
      switch request.method {
      case .get:
        break
      case .head:
        set(FRESHET_OPT_NOBODY, 1)
      default:
        set(FRESHET_OPT_CUSTOMREQUEST, request.method.rawValue)
        guard hasBody || [.post, .put, .patch].contains(request.method) else { break }
        // From a function that reads, without one that seeks: what was sent in part on a connection
        // that died cannot be sent again.
        set(FRESHET_OPT_UPLOAD, 1)
        note(
          freshet_easy_set_size(
            library.curl, easy, FRESHET_OPT_INFILESIZE_LARGE, Int64(request.body?.count ?? 0)))
      }
      // Without a body there is nothing that could not be sent again. On a connection of its own it is
      // not: libcurl only repeats what it has sent on a connection that was used before.
      if !hasBody && !(request.method.isSafe || request.method == .delete) {
        useOwnConnection()
      }
      return setHeaders(request.headers)
    }

    private mutating func setHeaders(_ headers: HTTPHeaders) -> OpaquePointer? {
      // Without a value: libcurl is not to wait for the server's permission to send a body.
      var lines: OpaquePointer?
      append("Expect:", to: &lines)
      for field in headers.fields {
        append(
          field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)", to: &lines)
      }
      set(FRESHET_OPT_HTTPHEADER, UnsafeRawPointer(lines))
      return lines
    }

    private mutating func append(_ line: String, to lines: inout OpaquePointer?) {
      if let longer = freshet_list_append(library.curl, lines, line) {
        lines = longer
      } else {
        note(Int32(FRESHET_CURL_OUT_OF_MEMORY.rawValue))
      }
    }

    /// Sets a number; returns whether libcurl has the option.
    @discardableResult
    mutating func set(_ option: freshet_curl_option, _ value: Int) -> Bool {
      note(freshet_easy_set_long(library.curl, easy, option, value))
    }

    mutating func set(_ option: freshet_curl_option, _ pointer: UnsafeRawPointer?) {
      note(freshet_easy_set_pointer(library.curl, easy, option, pointer))
    }

    mutating func set(
      _ option: freshet_curl_option, _ function: @escaping freshet_transfer_function
    ) {
      note(freshet_easy_set_function(library.curl, easy, option, function))
    }

    /// Sets a text, which libcurl copies; returns whether it has the option.
    @discardableResult
    mutating func set(_ option: freshet_curl_option, _ text: String) -> Bool {
      note(text.withCString { freshet_easy_set_pointer(library.curl, easy, option, $0) })
    }

    /// Notes the result for an option; returns whether it was set.
    @discardableResult
    private mutating func note(_ result: Int32) -> Bool {
      switch freshet_curl_code(UInt32(bitPattern: result)) {
      case FRESHET_CURL_OK: return true
      case FRESHET_CURL_UNKNOWN_OPTION, FRESHET_CURL_NOT_BUILT_IN,
        FRESHET_CURL_UNSUPPORTED_PROTOCOL:
        return false
      default:
        failure = failure ?? result
        return false
      }
    }
  }
#endif

/// What connection an exchange may have.
enum ConnectionChoice: Equatable {
  case any
  /// A new one, or one that is at most so many seconds old.
  case notOlder(than: Int)
  /// A new one: that of an earlier exchange, which is closed, had bytes that belong to no response.
  case new
  /// One for itself: libcurl reuses one that another exchange has, whatever its age.
  case own
}
