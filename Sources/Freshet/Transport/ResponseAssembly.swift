import Foundation

/// Puts one response together from the parts that arrive, and refuses what must not be kept.
///
/// A value without any networking, fed by ``URLSessionTransport``: first the head, then the body
/// piece by piece, then the end.
struct ResponseAssembly {
  /// Status and header fields.
  struct Head: Sendable, Hashable {
    var status: Int
    var headers: HTTPHeaders
    var url: URL?
  }

  /// The request that is being responded to.
  let request: HTTPRequest
  /// The head, once it has come.
  private(set) var head: Head?
  /// The body as far as it has come.
  private(set) var body = Data()
  /// How long the body will be, where that is known.
  private(set) var expectedLength: Int?

  init(to request: HTTPRequest) {
    self.request = request
  }

  /// Takes the head in.
  ///
  /// - Throws: ``TransportError`` where the head already shows that the response cannot be used.
  mutating func receive(_ head: Head) throws(TransportError) {
    precondition(self.head == nil, "ResponseAssembly takes one head, and it has one.")
    self.head = head
    guard expectsBody(head) else {
      expectedLength = 0
      return
    }
    let announced = try contentLength(of: head)
    if let announced, announced > request.maximumResponseSize {
      throw tooLarge("\(announced) bytes announced")
    }
    if let coding = head.contentCoding {
      // A coded body cannot be held against its length, and libcurl neither stops at a bound while
      // it decodes nor notices that a coded body was cut short.
      if request.headers["Accept-Encoding"]?.lowercased() == "identity" {
        throw TransportError(
          .badResponse,
          "\(request.summary): the response has the content coding \(coding) though none was "
            + "accepted. Set Accept-Encoding on the request to accept it.")
      }
    } else if !(301...308).contains(head.status) {
      // Foundation on Linux keeps the body of such a response to itself: it cannot be counted.
      expectedLength = announced
    }
  }

  /// Takes a piece of the body in.
  ///
  /// - Complexity: O(*n*) in the bytes of the piece, amortized; a body in one piece is not copied.
  mutating func receive(_ piece: Data) throws(TransportError) {
    guard piece.count <= request.maximumResponseSize - body.count else {
      throw tooLarge("more than \(request.maximumResponseSize) bytes received")
    }
    if body.isEmpty {
      body = piece
      if let expectedLength, expectedLength > piece.count { body.reserveCapacity(expectedLength) }
    } else {
      body.append(piece)
    }
  }

  /// The whole response, after the end of the exchange.
  ///
  /// - Throws: ``TransportError`` where the response is not whole.
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
    return HTTPResponse(
      status: head.status, headers: head.headers, body: body, url: head.url ?? request.url)
  }

  /// Whether bytes follow such a head, RFC 9112 section 6.3.
  private func expectsBody(_ head: Head) -> Bool {
    request.method != .head && head.status != 204 && head.status != 304
  }

  /// The length that the head announces, or nil where it announces none.
  private func contentLength(of head: Head) throws(TransportError) -> Int? {
    guard let field = head.headers["Content-Length"] else { return nil }
    // A list of equal numbers is one number, RFC 9110 section 8.6. Anything else hides a second response.
    let lengths = field.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { $0.trimmingSpace }
    guard let first = lengths.first, lengths.allSatisfy({ $0.elementsEqual(first) }),
      first.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(Substring(first))
    else {
      throw TransportError(
        .badResponse, "\(request.summary): the Content-Length of the response is not one number.")
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

extension ResponseAssembly.Head {
  /// The content coding of the body, or nil where it is sent as it is.
  var contentCoding: String? {
    guard let coding = headers["Content-Encoding"], !coding.isEmpty,
      coding.lowercased() != "identity"
    else { return nil }
    return coding
  }
}

extension Substring.UTF8View {
  /// The bytes without the white space around them, RFC 9110 section 5.6.3.
  fileprivate var trimmingSpace: Substring.UTF8View {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
