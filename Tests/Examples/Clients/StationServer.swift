import Foundation
import Freshet
import FreshetTesting

/// A store on an actor of its own, in a server that asks another server: it responds from what is fresh,
/// and asks once, however many clients wait.
actor Stations {
  struct Station: Codable, Identifiable, Equatable, Sendable {
    let id: Int
    let river: String
  }

  private let upstream: String
  private let clock: any StoreClock
  private lazy var service = Service(baseURL: upstream, clock: clock, isolation: self) {
    $0.freshnessLifetime = .seconds(600)
  }
  private lazy var stations = service.pages("items", of: Station.self, style: .linkHeader)

  init(upstream: URL, clock: any StoreClock = .system) {
    self.upstream = upstream.absoluteString
    self.clock = clock
  }

  func station(_ id: Int) async throws -> Station {
    try await service.resource("items/\(id)", of: Station.self).freshContent()
  }

  func rivers() async throws -> [String] {
    try await stations.freshItems().reduce(into: []) { rivers, station in
      if !rivers.contains(station.river) { rivers.append(station.river) }
    }
  }

  /// The response to a request of a client of this server.
  nonisolated func respond(to request: HTTPRequest) async -> LoopbackServer.Response {
    let path = request.url.pathComponents.dropFirst()
    do {
      let json =
        switch (path.first, path.dropFirst().first.flatMap { Int($0) }) {
        case ("rivers", nil): try JSONEncoder().encode(await rivers())
        case ("stations", let id?): try JSONEncoder().encode(await station(id))
        default: Data()
        }
      guard !json.isEmpty else { return .response(status: 404) }
      return .json(String(decoding: json, as: UTF8.self))
    } catch {
      return .response(status: (error as? ResourceError)?.status ?? 502)
    }
  }
}
