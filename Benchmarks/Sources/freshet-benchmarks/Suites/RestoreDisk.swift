import Foundation
import Freshet
import FreshetTesting

/// A whole list from the files of a persistent cache, compared to loading it over a real socket.
func restoreDisk(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.wants("restore.disk") else { return }
  let count = run.options.isQuick ? 100 : 1_000
  let folder = FileManager.default.temporaryDirectory.appending(path: "restore.disk-\(UUID())")
  defer { try? FileManager.default.removeItem(at: folder) }
  do {
    let list = try GaugeList(pageCount: count)
    let server = try LoopbackServer { .response(list.response(to: $0)) }
    defer { server.stop() }
    let transport = SystemTransport()
    let loads: Work = { iterations in
      var elapsed = Duration.zero
      for _ in 0..<iterations {
        actor.assertIsolated()
        server.forgetRequests()
        let service = Service(
          baseURL: server.url.absoluteString, transport: transport, isolation: #isolation)
        elapsed += await timeToLoad(list, with: service, on: actor)
      }
      return elapsed
    }
    let filling = Service(
      baseURL: server.url.absoluteString, transport: transport, isolation: #isolation)
    let cache = DiskCache(directory: folder)
    filling.configure { $0.cache = cache }
    _ = await timeToLoad(list, with: filling, on: actor)
    await filling.flushCache()
    let restores: Work = { iterations in
      var elapsed = Duration.zero
      for _ in 0..<iterations {
        actor.assertIsolated()
        // As a new process, which has no request to send.
        let service = Service(
          baseURL: server.url.absoluteString, transport: NoTransport(), isolation: #isolation)
        let cache = DiskCache(directory: folder)
        service.configure {
          $0.cache = cache
          $0.freshnessLifetime = .seconds(1 << 30)
        }
        elapsed += await timeToLoad(list, with: service, on: actor)
      }
      return elapsed
    }
    await run.compare([
      Comparison(
        "restore.disk", n: count, unit: .nsPerPage, per: count, ours: restores,
        floor: .init(name: "load.loopback", work: loads))
    ])
  } catch {
    preconditionFailure("restore.disk: \(error)")
  }
}

private func timeToLoad(
  _ list: GaugeList, with service: Service, on actor: isolated StoreActor
) async -> Duration {
  let start = ContinuousClock.now
  let collection = service.pages(
    "/items?page=0", of: Gauge.self, style: .linkHeader, options: .unlimited())
  collection.loadAll()
  await collection.settled()
  let elapsed = ContinuousClock.now - start
  precondition(collection.pageCount == list.bodies.count, "restore.disk: pages are missing")
  return elapsed
}

/// Stops the program: a whole list is in the files.
private struct NoTransport: Transport {
  @concurrent
  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse {
    preconditionFailure("restore.disk: \(request.url) is not in the cache")
  }
}
