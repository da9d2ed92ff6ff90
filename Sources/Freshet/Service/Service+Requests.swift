/// Requests that change something, without a resource to send them through.
///
/// Each does what the same call on the resource of that URL does; see
/// ``Resource/request(_:body:decoder:)``.
extension Service {
  /// Sends a request to a path below the base URL, and ignores the body of its response.
  ///
  /// ```swift
  /// service.request(.delete, "gists/1").onSuccess { _ in gists.refresh() }
  /// ```
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - path: the path, as for ``resource(_:of:)``.
  ///   - query: further query parameters, as for ``resource(_:query:of:)``.
  ///   - body: the body; nil for none.
  ///   - type: nothing, which is the default.
  @discardableResult
  public func request(
    _ method: HTTPMethod, _ path: String, query: [String: String?] = [:], body: RequestBody? = nil,
    as type: NoContent.Type = NoContent.self
  ) -> Request<NoContent> {
    request(method, path, query: query, body: body, decoder: .noContent)
  }

  /// Sends a request to a path below the base URL, and decodes its response as `Data`, `String` or JSON of a
  /// `Decodable` type.
  ///
  /// ```swift
  /// let gist = try await service.request(.post, "gists", body: .json(draft), as: Gist.self).value()
  /// ```
  @discardableResult
  public func request<Response: Decodable & Sendable>(
    _ method: HTTPMethod, _ path: String, query: [String: String?] = [:], body: RequestBody? = nil,
    as type: Response.Type
  ) -> Request<Response> {
    request(method, path, query: query, body: body, decoder: .standard)
  }

  /// Sends a request to a path below the base URL, and decodes its response with a decoder.
  @discardableResult
  public func request<Response: Sendable>(
    _ method: HTTPMethod, _ path: String, query: [String: String?] = [:], body: RequestBody? = nil,
    decoder: ContentDecoder<Response>
  ) -> Request<Response> {
    resource(path, query: query, decoder: decoder).request(method, body: body)
  }
}
