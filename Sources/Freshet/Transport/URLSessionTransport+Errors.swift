import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportError {
  /// The error for a cancellation of the surrounding task.
  static func cancelled(_ request: HTTPRequest) -> TransportError {
    TransportError(.cancelled, "\(request.summary): cancelled.")
  }

  /// Makes a transport error from a failure of URLSession.
  ///
  /// - Parameters:
  ///   - error: the error of URLSession.
  ///   - request: the request that was sent.
  ///   - head: the head of the response, if it was received. libcurl has many failures for which
  ///     Foundation on Linux has only `.unknown`; the head then distinguishes a body cut short from
  ///     a response that cannot be read.
  init(_ error: any Error, request: HTTPRequest, head: ResponseAssembly.Head?) {
    let code = (error as? URLError)?.code ?? .unknown
    let (kind, reason) =
      code == .unknown && head == nil && TransportError.namesTLS(error)
      ? TransportError.meaning(of: .secureConnectionFailed, head: nil)
      : TransportError.meaning(of: code, head: head)
    // The system's error holds the whole URL, query included: only its domain and code are kept.
    let system = error as NSError
    self.init(
      kind,
      "\(request.summary): \(reason)" + (kind == .connectionLost ? request.adviceAfterLoss : ""),
      underlying: NSError(domain: system.domain, code: system.code))
  }

  /// Whether the system's description is about TLS: Foundation on Linux has no code for a
  /// certificate that is not trusted, and only passes on the text of libcurl.
  private static func namesTLS(_ error: any Error) -> Bool {
    let description = (error as NSError).localizedDescription.lowercased()
    return ["ssl", "tls", "certificate"].contains { description.contains($0) }
  }

  private static func meaning(
    of code: URLError.Code, head: ResponseAssembly.Head?
  ) -> (Kind, String) {
    switch code {
    case .cancelled:
      (.cancelled, "cancelled.")
    case .timedOut:
      (.timedOut, "the server did not respond in time. Try again later.")
    case .badURL:
      (.invalidRequest, "the URL cannot be used.")
    case .cannotFindHost, .dnsLookupFailed:
      (.unreachable, "the host name is not known. Check the name and the network.")
    case .cannotConnectToHost:
      (.unreachable, "the server does not accept connections. Check that it runs on that port.")
    case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive:
      (.unreachable, "there is no network. Try again when there is.")
    case .networkConnectionLost:
      (.connectionLost, "the connection broke before the response was complete.")
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      (.insecureConnection, "TLS failed or the certificate is not trusted. Check the server.")
    case .badServerResponse where head == nil:
      (.connectionLost, "the server closed the connection without a response.")
    case .unknown where head != nil && head?.contentCoding == nil:
      (.connectionLost, "the connection ended before the body was complete.")
    case .unknown where head != nil, .cannotDecodeContentData, .cannotDecodeRawData:
      (.badResponse, "the body cannot be decoded.")
    default:
      (.badResponse, "the response is not readable as HTTP.")
    }
  }
}

extension HTTPRequest {
  /// What to do when it is unknown how far the request got; a sentence that follows another.
  var adviceAfterLoss: String {
    method.isSafe ? " Try again." : " The server may have acted on the request all the same."
  }
}
