import Foundation
import Freshet

extension StubTransport {
  /// A response of a ``StubTransport``, or a failure, and the progress reported before it.
  public struct Response: Sendable {
    enum Outcome: Sendable {
      case response(status: Int, headers: HTTPHeaders, body: Data, url: URL?)
      case failure(TransportError)
    }

    let outcome: Outcome
    private(set) var steps: [TransferProgress] = []

    /// Returns a response with the URL of the request.
    public static func response(
      status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()
    ) -> Response {
      Response(outcome: .response(status: status, headers: headers, body: body, url: nil))
    }

    /// Returns a response as it is, including its URL, such as a transport returns after a redirect.
    public static func response(_ response: HTTPResponse) -> Response {
      Response(
        outcome: .response(
          status: response.status, headers: response.headers, body: response.body,
          url: response.url))
    }

    /// Returns a response with JSON text, of type `application/json` unless `headers` specify another.
    public static func json(
      _ text: String, status: Int = 200, headers: HTTPHeaders = [:]
    ) -> Response {
      var headers = headers
      if headers["Content-Type"] == nil { headers.append("application/json", for: "Content-Type") }
      return .response(status: status, headers: headers, body: Data(text.utf8))
    }

    /// Returns a response with a value as JSON, with dates in ISO 8601, as a service decodes them.
    ///
    /// ```swift
    /// stub.on(.get, "/profile", .json(encoding: Profile(name: "Ada")))
    /// ```
    ///
    /// - Precondition: the value can be encoded.
    public static func json(
      encoding value: some Encodable, status: Int = 200, headers: HTTPHeaders = [:]
    ) -> Response {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      do {
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        return .json(text, status: status, headers: headers)
      } catch {
        preconditionFailure(
          "StubTransport.Response.json(encoding:): \(Redaction.nature(of: error))")
      }
    }

    /// Returns a page of a list: a JSON array of items, and a `Link` header that names the next page.
    ///
    /// ```swift
    /// stub.on(.get, "/gists?page=2", .page(encoding: [Gist(id: 3)], next: "/gists?page=3"))
    /// ```
    ///
    /// - Parameters:
    ///   - items: the items, encoded as by ``json(encoding:status:headers:)``.
    ///   - next: the URL reference of the next page; nil for the last one.
    ///   - headers: the other header fields, such as a validator.
    /// - Precondition: the items can be encoded.
    public static func page(
      encoding items: [some Encodable], next: String? = nil, headers: HTTPHeaders = [:]
    ) -> Response {
      var headers = headers
      if let next { headers.append("<\(next)>; rel=\"next\"", for: "Link") }
      return .json(encoding: items, headers: headers)
    }

    /// Returns a response with text, of type `text/plain` in UTF-8 unless `headers` specify another.
    public static func text(
      _ text: String, status: Int = 200, headers: HTTPHeaders = [:]
    ) -> Response {
      var headers = headers
      if headers["Content-Type"] == nil {
        headers.append("text/plain; charset=utf-8", for: "Content-Type")
      }
      return .response(status: status, headers: headers, body: Data(text.utf8))
    }

    /// Returns a response without a body, such as `.status(304)`.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Response {
      .response(status: status, headers: headers)
    }

    /// Returns a failure without a response: the transport throws the error.
    public static func failure(_ error: TransportError) -> Response {
      Response(outcome: .failure(error))
    }

    /// Returns a failure without a response: the transport throws an error of the given kind.
    public static func failure(_ kind: TransportError.Kind) -> Response {
      .failure(TransportError(kind, "The stub is set to fail with \(kind)."))
    }

    /// Returns the same response, preceded by these progress reports, in this order.
    public func reporting(_ steps: TransferProgress...) -> Response {
      var response = self
      response.steps += steps
      return response
    }

    /// Reports the progress, then returns the response or throws the failure.
    func deliver(
      to request: HTTPRequest, progress: @Sendable (TransferProgress) -> Void
    ) throws(TransportError) -> HTTPResponse {
      for step in steps { progress(step) }
      switch outcome {
      case .response(let status, let headers, let body, let url):
        if let url { return HTTPResponse(status: status, headers: headers, body: body, url: url) }
        return HTTPResponse(status: status, headers: headers, body: body, to: request)
      case .failure(let error):
        throw error
      }
    }
  }
}
