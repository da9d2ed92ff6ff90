extension RedirectPolicy {
  /// Sends a request and those that its redirects lead to, and returns the response at the end.
  ///
  /// - Parameter exchange: sends one request and returns its response, redirects included.
  /// - Throws: ``TransportError``.
  func follow(
    _ request: HTTPRequest, by exchange: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    var leg = request
    var followed = 0
    while true {
      try leg.validate()
      let response = try await exchange(leg)
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
