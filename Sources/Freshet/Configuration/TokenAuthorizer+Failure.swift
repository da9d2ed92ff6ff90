extension TokenAuthorizer {
  /// The reasons why a request was not authorized, other than errors thrown by a fetch.
  public enum Failure: QuotableError, Sendable, Hashable {
    /// The user is signed out.
    case signedOut
    /// The server refused to renew the token, so the user has to sign in again. A fetch may throw this error too.
    case renewalRefused
    /// The token was not fetched in time.
    case fetchTimedOut
    /// The token is fetched with a request that waits for the token, possibly through other authorizers.
    case recursiveFetch

    /// What happened and what to do.
    public var description: String {
      switch self {
      case .signedOut:
        "the user is signed out; call TokenAuthorizer.signIn(with:) before the next request"
      case .renewalRefused:
        "the server refuses to renew the token; let the user sign in again, and call "
          + "TokenAuthorizer.signIn(with:)"
      case .fetchTimedOut:
        "the fetch of a TokenAuthorizer took too long; raise its fetchTimeout, or make it wait for "
          + "nothing that waits for the token"
      case .recursiveFetch:
        "the fetch of a TokenAuthorizer waits for a request that waits for the token; fetch it with "
          + "another service, or set Service.Configuration.authorizer to nil for its path"
      }
    }

    /// Whether a fetch that throws this is not to be called again before a sign-in.
    static func isRefusal(_ error: any Error) -> Bool {
      switch error {
      case Failure.renewalRefused: true
      case let error as ResourceError:
        error.kind == .http && (error.status == 400 || error.status == 401)
      default: false
      }
    }
  }
}
