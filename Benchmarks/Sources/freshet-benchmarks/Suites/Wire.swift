import Foundation
import Freshet
import FreshetTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Responses over a real socket by the transport of the platform, compared to `URLSession.data`: the
/// time, and as `NAME.cpu` the processor time of the client.
func wire(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  for name in ["wire.small", "wire.parallel", "wire.large", "wire.gzip"]
  where run.wants(name) || run.wants(name + ".cpu") {
    // Not made for other rows, whose counts of instructions it would be a part of.
    let test = WireCase(name)
    do {
      let server = try LoopbackServer { _ in test.response }
      let client = WireClient(test, server.url)
      for clock in [WireClock.wall, .processor] where run.wants(test.name + clock.suffix) {
        await run.compare([
          Comparison(
            test.name + clock.suffix, n: test.n, unit: .nsPerRequest, per: test.n,
            ours: client.sends(clock, on: actor),
            floor: .init(name: "URLSession", work: client.plainSends(clock, on: actor)))
        ])
      }
      server.stop()
    } catch {
      preconditionFailure("\(test.name): \(error)")
    }
  }
}

/// A response, and how many requests for it run at once.
private struct WireCase: Sendable {
  let name: String
  let n: Int
  let body: Data
  /// The size of the body when decoded, if it is compressed.
  let decodedCount: Int?

  init(_ name: String) {
    self.name = name
    n = name == "wire.parallel" ? 16 : 1
    decodedCount = name == "wire.gzip" ? GzipPage.size : nil
    body =
      switch name {
      case "wire.gzip": GzipPage.data
      case "wire.large": Data(repeating: 0x61, count: 1_320_000)
      default: Data(repeating: 0x61, count: 4_657)
      }
  }

  var response: LoopbackServer.Response {
    .response(headers: decodedCount == nil ? [:] : ["Content-Encoding": "gzip"], body: body)
  }

  /// Stops the program if a body is not the whole one.
  func check(_ count: Int) {
    precondition(count == decodedCount ?? body.count, "\(name): \(count) bytes came")
  }
}

/// What is measured.
private enum WireClock {
  case wall
  case processor

  var suffix: String { self == .wall ? "" : ".cpu" }

  /// The time now; differences count.
  var now: Duration {
    switch self {
    case .wall: ContinuousClock.now - WireClock.start
    // The server's connections have a thread each, which stays while its connection is used.
    case .processor: processorTime(withoutThreads: "LoopbackServer") ?? .zero
    }
  }

  private static let start = ContinuousClock.now
}

private struct WireClient {
  let test: WireCase
  let url: URL
  let transport = SystemTransport()
  let session = URLSession(configuration: .ephemeral)

  init(_ test: WireCase, _ url: URL) {
    self.test = test
    self.url = url
  }

  func sends(_ clock: WireClock, on actor: isolated StoreActor) -> Work {
    work(clock, on: actor) { try await transport.send(HTTPRequest(url: url)) { _ in }.body.count }
  }

  func plainSends(_ clock: WireClock, on actor: isolated StoreActor) -> Work {
    work(clock, on: actor) { try await session.data(from: url).0.count }
  }

  /// Work that repeats a request that returns the size of its body.
  private func work(
    _ clock: WireClock, on actor: isolated StoreActor,
    _ request: @escaping @Sendable () async throws -> Int
  ) -> Work {
    { iterations in
      let start = clock.now
      for _ in 0..<iterations {
        if test.n == 1 {
          test.check((try? await request()) ?? -1)
        } else {
          await withTaskGroup(of: Void.self) { group in
            for _ in 0..<test.n {
              group.addTask { test.check((try? await request()) ?? -1) }
            }
          }
        }
      }
      return clock.now - start
    }
  }
}
