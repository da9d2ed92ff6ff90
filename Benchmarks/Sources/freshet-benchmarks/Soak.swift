import Foundation
import Freshet
import FreshetTesting

/// Many loads of all kinds through the platform's transport, and what is left of them: threads, file
/// descriptors, heap bytes and open connections must not grow with the number of loads.
struct Soak {
  /// The resources that the process uses.
  struct Usage: CustomStringConvertible {
    var threads = Soak.entries(of: "/proc/self/task")
    var descriptors = Soak.entries(of: "/proc/self/fd")
    var bytes = heapBytes() ?? 0

    var description: String {
      "\(threads) threads, \(descriptors) descriptors, \(bytes / 1024) KiB of heap"
    }

    /// What has grown, as sentences; a few are allowed, because the runtime makes threads when it wants.
    func growth(since start: Usage) -> [String] {
      var growth: [String] = []
      if threads > start.threads + 4 { growth.append("\(threads - start.threads) more threads") }
      if descriptors > start.descriptors + 4 {
        growth.append("\(descriptors - start.descriptors) more file descriptors")
      }
      if bytes > start.bytes + (2 << 20) {
        growth.append("\((bytes - start.bytes) / 1024) KiB more of heap")
      }
      return growth
    }
  }

  private static func entries(of folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }

  /// How many loads run in one round, with a service and a transport of its own.
  private static let roundSize = 500

  /// Runs the loads, and reports every tenth of them.
  ///
  /// - Returns: what has grown between the first tenth and the last; empty if nothing has.
  static func run(_ count: Int, on actor: isolated StoreActor) async throws -> [String] {
    let server = try LoopbackServer { response(to: $0) }
    defer { server.stop() }
    let rounds = max((count + roundSize - 1) / roundSize, 2)
    var start: Usage?
    var outcomes: [String: Int] = [:]
    for round in 1...rounds {
      await load(from: server, round, &outcomes, on: actor)
      server.forgetRequests()
      await server.openConnections(atMost: 0)
      guard round == 1 || round == rounds || round % max(rounds / 10, 1) == 0 else { continue }
      let usage = Usage()
      print("\(round * roundSize) loads: \(usage)")
      // The first round makes what is made once.
      if start == nil { start = usage }
    }
    print(
      outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    guard let start else { return [] }
    return Usage().growth(since: start)
  }

  /// Loads of all kinds, 20 at once: each ends once.
  private static func load(
    from server: LoopbackServer, _ round: Int, _ outcomes: inout [String: Int],
    on actor: isolated StoreActor
  ) async {
    let service = Service(
      baseURL: server.url.absoluteString, transport: SystemTransport(), isolation: actor)
    service.configure(nil) { $0.timeout = .seconds(20) }
    var ends = 0
    for first in stride(from: 0, to: roundSize, by: 20) {
      let requests = (first..<(first + 20)).map { number in
        let request = service.resource("\(kinds[number % kinds.count])/\(number)", of: Data.self)
          .load()
        request.onCompletion { _ in ends += 1 }
        return (number, request)
      }
      // Some before they are sent, some while they are.
      for (number, request) in requests where number % 7 == 0 { request.cancel() }
      await Task.yield()
      for (number, request) in requests where number % 11 == 0 { request.cancel() }
      for (_, request) in requests {
        let outcome: String
        do {
          _ = try await request.value()
          outcome = "succeeded"
        } catch {
          outcome = "ended in \(error.kind.rawValue)"
        }
        outcomes[outcome, default: 0] += 1
      }
    }
    precondition(ends == roundSize, "round \(round): \(ends) ends of \(roundSize) loads")
  }

  private static let kinds = ["ok", "large", "chunked", "error", "cut", "reset", "moved"]

  private static func response(to request: HTTPRequest) -> LoopbackServer.Response {
    switch request.url.pathComponents.dropFirst().first {
    case "large": .response(body: Data(repeating: 7, count: 200_000))
    case "chunked": .response(body: Data(repeating: 7, count: 5_000)).chunked(by: 900)
    case "error": .response(status: 503)
    case "cut": .response(body: Data(repeating: 7, count: 5_000)).truncated(after: 900)
    case "reset": .reset
    case "moved": .response(status: 302, headers: ["Location": "/ok/moved"])
    default: .response(body: Data("ok".utf8))
    }
  }
}
