import Foundation

extension ResourceError {
  /// Creates the store's error from a transport's error.
  init(_ error: any Error, timestamp: Date) {
    switch error {
    case let error as ResourceError:
      self = error
    case let error as TransportError:
      self.init(
        Kind(error.kind), error.message, underlying: error.underlying, timestamp: timestamp,
        url: error.redirectedURL, isRedirected: error.redirectedURL != nil)
    case is CancellationError:
      self.init(.cancelled, "The request was cancelled.", underlying: error, timestamp: timestamp)
    default:
      self.init(
        .connectionLost, "The transport failed with \(type(of: error)).", underlying: error,
        timestamp: timestamp)
    }
  }
}

extension ResourceError.Kind {
  fileprivate init(_ kind: TransportError.Kind) {
    self =
      switch kind {
      case .invalidRequest: .invalidRequest
      case .cancelled: .cancelled
      case .timedOut: .timeout
      case .unreachable: .unreachable
      case .connectionLost: .connectionLost
      case .insecureConnection: .insecureConnection
      case .badResponse: .badResponse
      case .redirectRefused, .tooManyRedirects: .redirect
      case .tooLarge: .tooLarge
      }
  }
}
