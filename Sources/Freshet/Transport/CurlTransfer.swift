#if os(Linux)
  internal import FreshetCurl
  import Foundation

  /// One exchange on the thread of a transport, from its easy handle to the outcome.
  ///
  /// It has an easy handle of its own: a handle that is used again is a use after free in older
  /// versions of libcurl when a folded first line comes (curl issue 11101), and saves nothing,
  /// because the connections belong to the multi handle.
  ///
  /// `@unchecked`: made by a task, it is used by the thread alone once it was posted to its inbox;
  /// only the mailbox, which is `Sendable`, is used by both.
  final class CurlTransfer: @unchecked Sendable {
    let request: HTTPRequest
    /// The origin of the request, whose connections are limited.
    let origin: String
    let mailbox = CurlMailbox()
    let library: CurlLibrary
    /// Whether it was begun again, and has a new connection.
    private(set) var isBegunAgain = false
    /// The easy handle, while there is one.
    private(set) var handle: OpaquePointer?
    /// When the handle was made.
    private(set) var begun = ContinuousClock.now
    private var lines: OpaquePointer?
    /// Where libcurl writes about a failure, as long as there is a handle.
    private var errorText: UnsafeMutablePointer<CChar>?
    private var configuration = TransportConfiguration()
    private var reader = ResponseHeadReader()
    private var assembly: ResponseAssembly
    private var gunzip: Gunzip?
    private var sent = 0
    /// Whether progress was made since it was last reported.
    private var hasMoved = false
    private var failure: TransportError?
    /// When the body of a redirect or an error is not waited for any more; nil for any other response.
    private(set) var bodyDeadline: ContinuousClock.Instant?

    init(_ request: HTTPRequest, _ library: CurlLibrary) {
      self.request = request
      origin = URIReference.origin(of: request.urlString) ?? ""
      self.library = library
      assembly = ResponseAssembly(to: request)
    }

    deinit {
      free()
    }

    /// Whether the URL is one of `https`, so that the connection may be of HTTP/2.
    var hasTLS: Bool { !origin.hasPrefix("http:") }

    /// Whether the head of a response has arrived.
    var hasHead: Bool { assembly.head != nil }

    /// Makes the easy handle.
    ///
    /// - Parameter connection: what connection it may have.
    /// - Throws: ``TransportError`` where there is no memory for it, or libcurl does not accept an option.
    func makeHandle(
      _ configuration: TransportConfiguration, _ connection: ConnectionChoice
    ) throws(TransportError) -> OpaquePointer {
      guard let easy = freshet_easy_new(library.curl) else { throw .noResources(request) }
      handle = easy
      (begun, sent) = (.now, 0)
      var options = CurlOptions(library: library, easy: easy)
      options.set(configuration)
      options.set(connection)
      lines = options.set(request)
      self.configuration = configuration
      let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: CurlOptions.errorTextSize)
      errorText.initialize(repeating: 0, count: CurlOptions.errorTextSize)
      options.set(FRESHET_OPT_ERRORBUFFER, errorText)
      self.errorText = errorText
      let context = Unmanaged.passUnretained(self).toOpaque()
      options.set(FRESHET_OPT_HEADERDATA, context)
      options.set(FRESHET_OPT_WRITEDATA, context)
      options.set(FRESHET_OPT_READDATA, context)
      options.set(FRESHET_OPT_HEADERFUNCTION) { bytes, size, count, context in
        CurlTransfer.receive(bytes, size * count, context) { try $0.receiveLine($1) }
      }
      options.set(FRESHET_OPT_WRITEFUNCTION) { bytes, size, count, context in
        CurlTransfer.receive(bytes, size * count, context) { try $0.receiveBody($1) }
      }
      options.set(FRESHET_OPT_READFUNCTION) { bytes, size, count, context in
        guard let context else { return 0 }
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().send(into: buffer)
      }
      if let failure = options.failure { throw TransportError(optionFailure: failure, of: request) }
      return easy
    }

    /// Frees the easy handle, which must not be in a multi handle any more.
    func free() {
      if let handle { freshet_easy_free(library.curl, handle) }
      freshet_list_free(library.curl, lines)
      errorText?.deallocate()
      (handle, lines, errorText) = (nil, nil, nil)
    }

    /// Prepares a further attempt on a new connection, if the result of libcurl asks for it; returns whether it does.
    func prepareAgain(after code: Int32) -> Bool {
      guard let handle, !isBegunAgain, !hasHead,
        CurlTransfer.mayBeginAgain(
          after: code, request.method,
          hasUsedConnection: freshet_easy_has_used_connection(library.curl, handle))
      else { return false }
      isBegunAgain = true
      reader = ResponseHeadReader()
      return true
    }

    /// Whether bytes that belong to no response were on the connection of an earlier exchange, and the request may be
    /// sent on another, RFC 9112 section 6.3.
    ///
    /// They were found before the request was sent; or they came after that and are not HTTP, such as the body of an
    /// earlier 304: then the server may have acted on the request.
    static func mayBeginAgain(
      after code: Int32, _ method: HTTPMethod, hasUsedConnection: Bool
    ) -> Bool {
      switch freshet_curl_code(UInt32(bitPattern: code)) {
      case FRESHET_CURL_ABORTED_BY_CALLBACK: true
      case FRESHET_CURL_UNSUPPORTED_PROTOCOL: method.isSafe && hasUsedConnection
      default: false
      }
    }

    /// Reports the progress since the last report.
    func reportProgress() {
      guard hasMoved else { return }
      hasMoved = false
      mailbox.move(progress)
    }

    /// Ends the exchange with the result of libcurl.
    ///
    /// - Returns: the response, if there is one.
    func finish(_ code: Int32) -> HTTPResponse? {
      let result = Result { () throws(TransportError) in
        do throws(TransportError) {
          return try wholeResponse(code)
        } catch {
          return try assembly.response(after: error)
        }
      }
      mailbox.end(result)
      return try? result.get()
    }

    /// Ends an exchange that was not begun, because the server asks for fewer requests by this response.
    func withhold(by response: HTTPResponse) {
      mailbox.end(
        .failure(
          TransportError(
            .unreachable,
            "\(request.summary): not sent, because the server has asked for fewer requests.",
            underlying: HeldRequest(response: response))))
    }

    /// Ends the exchange with what has arrived, because ``bodyDeadline`` has passed.
    ///
    /// - Returns: the response, if there is one.
    func finishOverdue() -> HTTPResponse? {
      failure = TransportError(
        .timedOut, "\(request.summary): the body did not arrive in time.")
      return finish(0)
    }

    private func wholeResponse(_ code: Int32) throws(TransportError) -> HTTPResponse {
      if let failure { throw failure }
      guard code == 0 else {
        let error = CurlError(
          code, library, text: errorText.map { String(cString: $0) } ?? "",
          hasClientCertificate: configuration.clientCertificate != nil,
          handle.map { CurlError.Circumstances(of: $0, library) } ?? .init())
        let failure = TransportError(error, request: request, head: assembly.head)
        if failure.kind == .badResponse { receivePartialHead() }
        throw failure
      }
      guard reader.isComplete else {
        throw TransportError(
          .connectionLost,
          "\(request.summary): the connection ended within the head of the response."
            + request.adviceAfterLoss)
      }
      do throws(Gunzip.Corruption) {
        try gunzip?.finish()
      } catch {
        throw corrupt(error)
      }
      return try assembly.finish()
    }

    /// Receives what there is of a head that was refused before its end.
    private func receivePartialHead() {
      if assembly.head == nil, let head = reader.partialHead { assembly.receiveUnreadable(head) }
    }

    private var progress: TransferProgress {
      TransferProgress(
        bytesSent: sent, bytesExpectedToSend: request.body?.count ?? 0,
        bytesReceived: assembly.body.count,
        bytesExpectedToReceive: assembly.expectedLength)
    }
  }

  // MARK: - Callbacks

  extension CurlTransfer {
    /// Receives bytes in a callback; returns how many were accepted, fewer to end the exchange.
    private static func receive(
      _ bytes: UnsafeMutablePointer<CChar>, _ count: Int, _ context: UnsafeMutableRawPointer?,
      _ body: (CurlTransfer, UnsafeRawBufferPointer) throws -> Void
    ) -> Int {
      guard let context else { return 0 }
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      do {
        try body(transfer, UnsafeRawBufferPointer(start: bytes, count: count))
        return count
      } catch {
        transfer.failure = transfer.failure(error)
        return count == 0 ? 1 : 0
      }
    }

    private func receiveLine(_ line: UnsafeRawBufferPointer) throws {
      guard let head = try reader.receive(line) else { return }
      try assembly.receive(head)
      if let coding = assembly.codingOfBody { gunzip = try decoder(for: coding) }
      bodyDeadline = head.bodyTimeout(configuration).map { ContinuousClock.now + $0 }
      hasMoved = true
    }

    private func receiveBody(_ piece: UnsafeRawBufferPointer) throws {
      hasMoved = true
      guard let gunzip else { return try assembly.receive(piece) }
      try assembly.receiveCoded(piece.count)
      try gunzip.decode(piece) { try assembly.receive($0) }
    }

    /// Fills a buffer with what follows of the request body.
    private func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      guard let body = request.body else { return 0 }
      let count = min(buffer.count, body.count - sent)
      let start = body.startIndex + sent
      body.copyBytes(to: buffer, from: start..<(start + count))
      sent += count
      hasMoved = true
      return count
    }

    private func decoder(for coding: String) throws(TransportError) -> Gunzip {
      guard ["gzip", "x-gzip", "deflate"].contains(coding.asciiLowercased), let zlib = library.zlib,
        let gunzip = Gunzip(zlib)
      else {
        throw TransportError(
          .badResponse,
          "\(request.summary): the response has the content coding \"\(coding.excerpt)\", "
            + "which cannot be decoded. "
            + (request.accepts(coding)
              ? "Do not ask for it with Accept-Encoding."
              : "The request did not ask for it. Report it to the server's owner."))
      }
      return gunzip
    }

    private func failure(_ error: any Error) -> TransportError {
      switch error {
      case let error as TransportError: return error
      case let error as ResponseHeadReader.Refusal:
        receivePartialHead()
        return TransportError(
          .badResponse,
          "\(request.summary): \(error.reason). Check the URL, or report it to the server's owner.")
      case let error as Gunzip.Corruption: return corrupt(error)
      default:
        return TransportError(
          .badResponse,
          "\(request.summary): the response is not readable. Report it to the server's owner.")
      }
    }

    private func corrupt(_ corruption: Gunzip.Corruption) -> TransportError {
      switch corruption {
      case .malformed:
        TransportError(
          .badResponse,
          request.summary
            + (assembly.codingOfBody?.asciiLowercased == "deflate"
              ? ": the body is not zlib data, as the content coding deflate has to be. "
              : ": the compressed body is corrupt. ")
            + "Request it uncompressed, with Accept-Encoding: identity.")
      case .truncated:
        TransportError(
          .connectionLost,
          "\(request.summary): the compressed body ends too early." + request.adviceAfterLoss)
      }
    }
  }
#endif
