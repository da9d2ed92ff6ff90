import Foundation
import Freshet
import FreshetTesting

/// Many loads of all kinds through the platform's transport, some cancelled, some left by their observer, and
/// what remains of them: threads, file descriptors, open connections and heap bytes, which tasks are part of,
/// must not grow with the number of loads.
struct Soak {
  /// The resources that the process uses.
  struct Usage: CustomStringConvertible {
    var threads = Soak.entries(of: "/proc/self/task")
    var descriptors = Soak.entries(of: "/proc/self/fd")
    var bytes = heapBytes() ?? 0
    var connections: Int

    var description: String {
      "\(threads) threads, \(descriptors) descriptors, \(connections) connections, "
        + "\(bytes / 1024) KiB of heap"
    }

    /// What has grown, as sentences.
    ///
    /// A few threads and descriptors are allowed, because the runtime makes threads when it wants, and
    /// as much heap as caches and the allocator vary by: 16 bytes left by each of 20,000 loads are more.
    func growth(since start: Usage) -> [String] {
      var growth: [String] = []
      if threads > start.threads + 4 { growth.append("\(threads - start.threads) more threads") }
      if descriptors > start.descriptors + 4 {
        growth.append("\(descriptors - start.descriptors) more file descriptors")
      }
      if bytes > start.bytes + (256 << 10) {
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
  /// The deadline of the loads. The timer of a deadline that was lifted stays in memory until its time,
  /// because that is how the system's cancelled sleeps end: usage is compared after that time.
  private static let timeout = Duration.seconds(2)

  /// Runs the loads, and reports every tenth of them.
  ///
  /// - Returns: what has grown since the first tenth, or 2,000 loads; empty if nothing has.
  static func run(_ count: Int, on actor: isolated StoreActor) async throws -> [String] {
    let server = try LoopbackServer { response(to: $0) }
    defer { server.stop() }
    let rounds = max((count + roundSize - 1) / roundSize, 2)
    var start: Usage?
    var growth: [String] = []
    var outcomes: [String: Int] = [:]
    for round in 1...rounds {
      await load(from: server, round, &outcomes, on: actor)
      server.forgetRequests()
      let isFirst = round == max(rounds / 10, min(rounds / 2, 4))
      guard round == rounds || round % max(rounds / 10, 1) == 0 || isFirst else { continue }
      if isFirst || round == rounds { try await Task.sleep(for: timeout + .milliseconds(200)) }
      let usage = Usage(connections: await openConnections(of: server))
      print("\(round * roundSize) loads: \(usage)")
      guard usage.connections == 0 else { return ["\(usage.connections) open connections"] }
      // The first ones make what is made once.
      if isFirst { start = usage }
      if round == rounds, let start { growth = usage.growth(since: start) }
    }
    print(
      outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    return growth
  }

  /// How many connections are still open after a time in which all should have been closed.
  private static func openConnections(of server: LoopbackServer) async -> Int {
    let wait = Task { await server.openConnections(atMost: 0) }
    let limit = Task {
      try await Task.sleep(for: .seconds(5))
      wait.cancel()
    }
    await wait.value
    limit.cancel()
    return server.openConnectionCount
  }

  /// Loads of all kinds, 20 at once: each ends once.
  private static func load(
    from server: LoopbackServer, _ round: Int, _ outcomes: inout [String: Int],
    on actor: isolated StoreActor
  ) async {
    let service = Service(
      baseURL: server.url.absoluteString, transport: SystemTransport(), isolation: actor)
    service.configure {
      $0.timeout = timeout
      $0.cancelsUnobservedLoads = true
    }
    var (ends, hooks) = (0, 0)
    for first in stride(from: 0, to: roundSize, by: 20) {
      var tokens: [ObservationToken] = []
      let requests = (first..<(first + 20)).map { number in
        let resource = service.resource("\(kinds[number % kinds.count])/\(number)", of: Data.self)
        if number.isMultiple(of: 5) { tokens.append(resource.observe { _, _ in }) }
        let request = resource.load()
        // A load with a hook continues when its observer is removed.
        if !number.isMultiple(of: 5) || number.isMultiple(of: 2) {
          hooks += 1
          request.onCompletion { _ in ends += 1 }
        }
        return (number, resource, request)
      }
      // Some before they are sent, some while they are.
      for (number, _, request) in requests where number % 7 == 0 { request.cancel() }
      await Task.yield()
      for (number, _, request) in requests where number % 11 == 0 { request.cancel() }
      // The observers leave: some are removed, which cancels loads, and some deallocated.
      for (index, token) in tokens.enumerated() where index % 2 == 1 { token.cancel() }
      tokens = []
      for (_, _, request) in requests {
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
    precondition(ends == hooks, "round \(round): \(ends) ends of \(hooks) loads")
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
