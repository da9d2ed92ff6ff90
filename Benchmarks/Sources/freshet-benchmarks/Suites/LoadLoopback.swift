import Foundation
import Freshet
import FreshetTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A whole list over a real socket, compared to a loop over `URLSession` that sends and decodes the
/// same; and the peak of heap bytes, for the whole list and for a window of 20 pages.
func loadLoopback(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.wants("load.loopback") else { return }
  for count in run.options.isQuick ? [100] : [1_000, 20_000] {
    do {
      let list = try GaugeList(pageCount: count)
      let server = try LoopbackServer { .response(list.response(to: $0)) }
      await run.compare([
        Comparison(
          "load.loopback", n: count, unit: .nsPerPage, per: count,
          ours: loads(of: list, from: server, on: actor),
          floor: .init(name: "URLSession loop", work: plainLoads(of: list, from: server, on: actor))
        )
      ])
      await recordBytes(of: list, from: server, in: run, on: actor)
      server.stop()
    } catch {
      preconditionFailure("load.loopback: \(error)")
    }
  }
}

private func loads(
  of list: GaugeList, from server: LoopbackServer, on actor: isolated StoreActor
) -> Work {
  let transport = SystemTransport()
  return { iterations in
    var elapsed = Duration.zero
    for _ in 0..<iterations {
      actor.assertIsolated()
      server.forgetRequests()
      let service = Service(
        baseURL: server.url.absoluteString, transport: transport, isolation: #isolation)
      let start = ContinuousClock.now
      let collection = service.pages(
        "/items?page=0", of: Gauge.self, style: .linkHeader, options: .unlimited())
      collection.loadAll()
      await collection.settled()
      elapsed += ContinuousClock.now - start
      precondition(collection.pageCount == list.bodies.count, "load.loopback: pages are missing")
    }
    return elapsed
  }
}

/// The peak of heap bytes of a load: for each page if all are kept, and in total with a window of
/// them.
private func recordBytes(
  of list: GaugeList, from server: LoopbackServer, in run: BenchmarkRun,
  on actor: isolated StoreActor
) async {
  let count = list.bodies.count
  var options = PagedCollection<Gauge>.Options.unlimited()
  let whole = await mostBytes(of: list, from: server, options, on: actor)
  var samples = Samples()
  samples.append(whole / Double(count))
  run.record(Row(name: "load.loopback.page", n: count, unit: .bytes, samples: samples))
  options.retainedPageLimit = 20
  samples = Samples()
  samples.append(await mostBytes(of: list, from: server, options, on: actor))
  run.record(Row(name: "load.loopback.window", n: count, unit: .bytes, samples: samples))
}

private func mostBytes(
  of list: GaugeList, from server: LoopbackServer, _ options: PagedCollection<Gauge>.Options,
  on actor: isolated StoreActor
) async -> Double {
  server.forgetRequests()
  guard let before = heapBytes() else { return .nan }
  var most = before
  func look() {
    // The memory of the server is not the client's.
    server.forgetRequests()
    most = max(most, heapBytes() ?? 0)
  }
  let service = Service(
    baseURL: server.url.absoluteString, transport: SystemTransport(), isolation: #isolation)
  let collection = service.pages(
    "/items?page=0", of: Gauge.self, style: .linkHeader, options: options)
  var pageCount = 0
  let observation = collection.observe { _, event in
    guard case .itemsChanged = event else { return }
    pageCount += 1
    if pageCount % 100 == 0 { look() }
  }
  collection.loadAll()
  await collection.settled()
  look()
  precondition(
    collection.firstItemIndex + collection.items.count == 50 * list.bodies.count,
    "load.loopback: items are missing")
  withExtendedLifetime(observation) {}
  return Double(most - before)
}

private func plainLoads(
  of list: GaugeList, from server: LoopbackServer, on actor: isolated StoreActor
) -> Work {
  let session = URLSession(configuration: .ephemeral)
  return { iterations in
    let start = ContinuousClock.now
    for _ in 0..<iterations {
      actor.assertIsolated()
      server.forgetRequests()
      var items: [Gauge] = []
      for page in list.bodies.indices {
        guard let url = URL(string: "\(server.url.absoluteString)/items?page=\(page)"),
          let (body, _) = try? await session.data(from: url),
          let decoded = try? JSONDecoder().decode([Gauge].self, from: body)
        else { preconditionFailure("load.loopback: page \(page) did not come") }
        items += decoded
      }
      blackHole(items)
    }
    return ContinuousClock.now - start
  }
}
