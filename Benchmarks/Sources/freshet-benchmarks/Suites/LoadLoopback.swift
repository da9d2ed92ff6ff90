import Foundation
import Freshet
import FreshetTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A whole list over a real socket, beside a loop over `URLSession` that sends and decodes the same.
func loadLoopback(in lab: Lab, on home: isolated Home) async {
  guard lab.wants("load.loopback") else { return }
  for count in lab.options.isQuick ? [100] : [1_000, 20_000] {
    do {
      let list = try GaugeList(pageCount: count)
      let server = try LoopbackServer { .response(list.answer(to: $0)) }
      await lab.compare([
        Match(
          "load.loopback", n: count, unit: .nsPerPage, per: count,
          ours: loads(of: list, from: server, on: home),
          floor: .init(name: "URLSession loop", work: plainLoads(of: list, from: server, on: home)))
      ])
      server.stop()
    } catch {
      preconditionFailure("load.loopback: \(error)")
    }
  }
}

private func loads(
  of list: GaugeList, from server: LoopbackServer, on home: isolated Home
) -> Work {
  let transport = URLSessionTransport()
  return { iterations in
    var elapsed = Duration.zero
    for _ in 0..<iterations {
      home.assertIsolated()
      server.forgetRequests()
      let service = Service(baseURL: server.url.absoluteString, transport: transport)
      var options = PagedCollection<Gauge>.Options()
      options.pageLimit = .max
      options.itemLimit = .max
      let start = ContinuousClock.now
      let collection = service.pages(
        "/items?page=0", of: Gauge.self, style: .linkHeader, options: options)
      collection.loadAll()
      await collection.settled()
      elapsed += ContinuousClock.now - start
      precondition(collection.pageCount == list.bodies.count, "load.loopback: pages are missing")
    }
    return elapsed
  }
}

private func plainLoads(
  of list: GaugeList, from server: LoopbackServer, on home: isolated Home
) -> Work {
  let session = URLSession(configuration: .ephemeral)
  return { iterations in
    let start = ContinuousClock.now
    for _ in 0..<iterations {
      home.assertIsolated()
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
