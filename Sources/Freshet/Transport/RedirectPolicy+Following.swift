extension RedirectPolicy {
  /// Sends a request and those that its redirects lead to, and returns the response at the end.
  ///
  /// - Parameter exchange: sends one request and returns its response, redirects included.
  /// - Throws: ``TransportError``, with the URL that a redirect led to: the server has responded before.
  func follow(
    _ request: HTTPRequest, by exchange: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    var leg = request
    var followed = 0
    while true {
      let response: HTTPResponse
      do {
        try leg.validate()
        response = try await exchange(leg)
      } catch var error as TransportError where followed > 0 {
        error.redirectedURL = leg.urlString
        throw error
      }
      switch decision(for: response, to: leg, followed: followed) {
      case .deliver:
        return response
      case .refuse(let error):
        throw error
      case .follow(let next):
        leg = next
        followed += 1
      }
    }
  }
}
