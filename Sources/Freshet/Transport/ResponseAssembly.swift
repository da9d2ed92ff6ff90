import Foundation

/// Assembles one response from the parts that arrive, and refuses what must not be accepted.
///
/// A value without any networking, fed by the transports: first the head, then the body piece by
/// piece, then the end.
struct ResponseAssembly {
  /// Status and header fields.
  struct Head: Sendable, Hashable {
    var status: Int
    var headers: HTTPHeaders
    var url: URL?
  }

  /// The request that is being responded to.
  let request: HTTPRequest
  /// The head, once it was received.
  private(set) var head: Head?
  /// The body received so far.
  private(set) var body = Data()
  /// The length of the body, if known.
  private(set) var expectedLength: Int?
  /// How many bytes of a coded body have arrived.
  private var codedByteCount = 0

  init(to request: HTTPRequest) {
    self.request = request
  }

  /// Receives the head.
  ///
  /// - Throws: ``TransportError`` if the head already shows that the response cannot be used.
  mutating func receive(_ head: Head) throws(TransportError) {
    precondition(self.head == nil, "ResponseAssembly takes one head, and it has one.")
    guard expectsBody(head) else {
      self.head = head
      expectedLength = 0
      return
    }
    let announced: Int?
    do throws(TransportError) {
      announced = try contentLength(of: head)
    } catch {
      receiveUnreadable(head)
      throw error
    }
    self.head = head
    let coding = head.contentCoding
    if let announced,
      announced > (coding == nil ? request.maximumResponseSize : maximumCodedSize)
    {
      throw tooLarge("\(announced) bytes announced")
    }
    if let coding {
      // A decoded body cannot be compared to the length of the coded one.
      if request.headers["Accept-Encoding"]?.lowercased() == "identity" {
        throw TransportError(
          .badResponse,
          "\(request.summary): the response has the content coding \"\(coding.excerpt)\" though none "
            + "was accepted. Set Accept-Encoding on the request to accept it.")
      }
    } else {
      expectedLength = announced
    }
  }

  /// Receives a head that was refused, or does not show where its body ends: nothing after it can be read.
  ///
  /// Of an error it is kept: it only makes the client fail, or wait. Any other is discarded, a redirect
  /// among them, as RFC 9112 section 6.3 demands.
  mutating func receiveUnreadable(_ head: Head) {
    if head.status >= 400 { self.head = head }
  }

  /// The content coding of the body that follows; nil if it is not coded, or empty.
  var codingOfBody: String? {
    guard let head, expectsBody(head), head.headers["Content-Length"] != "0" else { return nil }
    return head.contentCoding
  }

  /// Counts a piece of the body that is coded, before it is decoded.
  ///
  /// What is decoded is limited when it is received, but coded bytes without end may decode to nothing.
  mutating func receiveCoded(_ byteCount: Int) throws(TransportError) {
    guard byteCount <= maximumCodedSize - codedByteCount else {
      throw tooLarge("more than \(maximumCodedSize) coded bytes received")
    }
    codedByteCount += byteCount
  }

  /// The most bytes of a coded body: bytes that cannot be compressed become a few more, and twice as many only in
  /// tiny pieces.
  private var maximumCodedSize: Int {
    2 * min(max(request.maximumResponseSize, 0), .max / 4) + 65_536
  }

  /// Receives a piece of the body.
  ///
  /// - Complexity: O(*n*) in the bytes of the piece, amortized; a body in one piece is not copied.
  mutating func receive(_ piece: Data) throws(TransportError) {
    try allow(piece.count)
    guard body.isEmpty else { return body.append(piece) }
    body = piece
    reserveCapacity()
  }

  /// Receives a copy of a piece of the body.
  ///
  /// - Complexity: O(*n*) in the bytes of the piece, amortized.
  mutating func receive(_ piece: UnsafeRawBufferPointer) throws(TransportError) {
    try allow(piece.count)
    if body.isEmpty { reserveCapacity() }
    body.append(piece.bindMemory(to: UInt8.self))
  }

  /// Reserves memory for what is announced, and not more than a body often has: the announcement may be wrong.
  private mutating func reserveCapacity() {
    if let expectedLength, expectedLength > body.count {
      body.reserveCapacity(min(expectedLength, 4 << 20))
    }
  }

  /// Throws if a further piece of that size makes the body too large.
  private func allow(_ count: Int) throws(TransportError) {
    guard count <= request.maximumResponseSize - body.count else {
      throw tooLarge("more than \(request.maximumResponseSize) bytes received")
    }
  }

  /// The response where its body could not be received: of an error status or a redirect, with the part of
  /// the body that has arrived.
  ///
  /// What such a response says is in its head: a retry has to wait for `Retry-After`, a 404 is not to
  /// be retried, and a redirect is to be followed, whatever became of the body.
  ///
  /// - Throws: the error if the response has another status, or no head, or the request was cancelled.
  func response(after error: TransportError) throws(TransportError) -> HTTPResponse {
    guard let head, head.status >= 400 || head.isRedirect, error.kind != .cancelled else {
      throw error
    }
    return response(to: head, body)
  }

  private func response(to head: Head, _ body: Data) -> HTTPResponse {
    HTTPResponse(
      status: head.status, headers: head.headers.removing(["Content-Encoding", "Content-Length"]),
      body: body,
      address: head.url.map { URLText($0) } ?? request.address)
  }

  /// The whole response, after the end of the exchange.
  ///
  /// - Throws: ``TransportError`` if the response is incomplete.
  func finish() throws(TransportError) -> HTTPResponse {
    guard let head else {
      throw TransportError(.badResponse, "\(request.summary): the server sent no HTTP response.")
    }
    if let expectedLength, body.count != expectedLength {
      throw TransportError(
        .connectionLost,
        "\(request.summary): \(body.count) of \(expectedLength) bytes came."
          + request.adviceAfterLoss)
    }
    var headers = head.headers
    if expectsBody(head), head.contentCoding != nil {
      // They describe the coded body, and this one is decoded.
      headers.remove("Content-Encoding")
      headers.remove("Content-Length")
    }
    return HTTPResponse(
      status: head.status, headers: headers, body: body,
      address: head.url.map { URLText($0) } ?? request.address)
  }

  /// Whether a body follows such a head, RFC 9112 section 6.3.
  private func expectsBody(_ head: Head) -> Bool {
    request.method != .head && head.status != 204 && head.status != 304
  }

  /// The length that the head announces; nil if none.
  private func contentLength(of head: Head) throws(TransportError) -> Int? {
    guard let field = head.headers["Content-Length"] else { return nil }
    // A list of equal numbers is one number, RFC 9110 section 8.6. Anything else hides a second response.
    let lengths = field.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { $0.trimmingHTTPSpace }
    guard let first = lengths.first, lengths.allSatisfy({ $0.elementsEqual(first) }),
      first.allSatisfy(\.isASCIIDigit), let length = Int(Substring(first))
    else {
      throw .malformedLength(of: request)
    }
    return length
  }

  private func tooLarge(_ what: String) -> TransportError {
    TransportError(
      .tooLarge,
      "\(request.summary): the response is too large, \(what) where "
        + "\(request.maximumResponseSize) are allowed. Ask for less or raise maximumResponseSize.")
  }
}

extension TransportError {
  /// The error for a response whose length is not one number.
  static func malformedLength(of request: HTTPRequest) -> TransportError {
    TransportError(
      .badResponse,
      "\(request.summary): the Content-Length of the response is not one number. Report it to the "
        + "server's owner.")
  }
}

extension ResponseAssembly.Head {
  /// How long the body is waited for; nil for as long as the request may take.
  func bodyTimeout(_ configuration: TransportConfiguration) -> Duration? {
    if isRedirect { return configuration.redirectBodyTimeout }
    return status >= 400 ? configuration.errorBodyTimeout : nil
  }

  /// Whether the response leads to another URL, so that its body is not needed.
  var isRedirect: Bool {
    RedirectPolicy.statuses.contains(status) && headers.first("Location") != nil
  }

  /// The content coding of the body; nil if it is not coded.
  var contentCoding: String? {
    guard let coding = headers["Content-Encoding"], !coding.isEmpty,
      coding.lowercased() != "identity"
    else { return nil }
    return coding
  }
}

extension Substring.UTF8View {
  /// The bytes without the white space around them, RFC 9110 section 5.6.3.
  fileprivate var trimmingHTTPSpace: Substring.UTF8View {
    guard let first = firstIndex(where: { !$0.isHTTPSpace }),
      let last = lastIndex(where: { !$0.isHTTPSpace })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
