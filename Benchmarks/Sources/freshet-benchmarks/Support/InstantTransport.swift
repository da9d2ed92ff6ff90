import Freshet

/// Responds at once with an empty body; confirms the content of a client.
struct InstantTransport: Transport {
  var headers: HTTPHeaders = [:]

  @concurrent
  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse {
    let isConditional = request.headers["If-None-Match"] != nil
    return HTTPResponse(status: isConditional ? 304 : 200, headers: headers, to: request)
  }
}

/// Responds at once with the pages of a list.
struct GaugeTransport: Transport {
  let list: GaugeList

  @concurrent
  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse {
    list.response(to: request)
  }
}

extension Service {
  /// A store without a network, whose content stays fresh for a day.
  convenience init(
    instant transport: some Transport = InstantTransport(),
    clock: any StoreClock = .system,
    isolation: isolated any Actor = #isolation
  ) {
    self.init(
      baseURL: "https://bench.test", transport: transport, clock: clock, isolation: isolation)
    configure { $0.freshnessLifetime = .seconds(86_400) }
  }
}
