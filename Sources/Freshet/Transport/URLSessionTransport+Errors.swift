#if canImport(Darwin)
  import Foundation

  extension TransportError {
    /// Creates a transport error from a failure of URLSession.
    ///
    /// - Parameters:
    ///   - error: the error of URLSession.
    ///   - request: the request that was sent.
    ///   - head: the head of the response, if it was received.
    init(_ error: any Error, request: HTTPRequest, head: ResponseAssembly.Head?) {
      let code = (error as? URLError)?.code ?? .unknown
      if let failure = TLSFailure(code) {
        self.init(
          .insecureConnection, "\(request.summary): \(failure)", underlying: failure)
        return
      }
      let (kind, reason) = TransportError.meaning(of: code, head: head)
      // The system's error holds the whole URL, query included: only its domain and code are kept.
      let system = error as NSError
      self.init(
        kind,
        "\(request.summary): \(reason)" + (kind == .connectionLost ? request.adviceAfterLoss : ""),
        underlying: NSError(domain: system.domain, code: system.code))
    }

    private static func meaning(
      of code: URLError.Code, head: ResponseAssembly.Head?
    ) -> (Kind, String) {
      switch code {
      case .cancelled:
        (.cancelled, "cancelled.")
      case .timedOut:
        (.timedOut, "the server did not respond in time. Retry later.")
      case .badURL:
        (.invalidRequest, "the URL cannot be used. Check it, or the redirect that leads to it.")
      case .cannotFindHost, .dnsLookupFailed:
        (.unreachable, "the host name is not known. Check the name and the network.")
      case .cannotConnectToHost:
        (.unreachable, "the server does not accept connections. Check that it runs on that port.")
      case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive:
        (.unreachable, "there is no network. Retry when there is.")
      case .networkConnectionLost:
        (.connectionLost, "the connection broke before the response was complete.")
      case .badServerResponse where head == nil:
        (.connectionLost, "the server closed the connection without a response.")
      case .cannotDecodeContentData, .cannotDecodeRawData:
        (.badResponse, "the body cannot be decoded. Report it to the server's owner.")
      default:
        (
          .badResponse,
          "the response is not readable as HTTP. Check the URL, or report it to the server's owner."
        )
      }
    }
  }

  extension TLSFailure {
    /// Determines the failure from a code of URLSession; nil if TLS did not fail.
    fileprivate init?(_ code: URLError.Code) {
      switch code {
      case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
        self = .untrustedCertificate
      case .serverCertificateHasBadDate, .serverCertificateNotYetValid: self = .expiredCertificate
      case .clientCertificateRequired: self = .clientCertificateRequired
      case .clientCertificateRejected: self = .clientCertificateRefused
      case .secureConnectionFailed: self = .other
      default: return nil
      }
    }
  }
#endif
