import Foundation
import Testing

@testable import Freshet
@testable import FreshetTesting

/// Requests that wait until a test lets the server respond to one of them: for tests that choose the
/// order of responses at random, and can do so again.
final class HeldRequests: Sendable {
  private struct Held: Sendable {
    let id: UInt64
    let request: HTTPRequest
    let continuation: CheckedContinuation<HTTPResponse, any Error>

    var order: String {
      request.url.absoluteString + String(decoding: request.body ?? Data(), as: UTF8.self)
    }
  }

  private struct State: Sendable {
    var held: [Held] = []
    var cancelled: Set<UInt64> = []
    var newest: UInt64 = 0
  }

  private let state = Locked(State())
  private let server: @Sendable (HTTPRequest) -> HTTPResponse

  init(for server: @escaping @Sendable (HTTPRequest) -> HTTPResponse) {
    self.server = server
  }

  /// How many requests wait.
  var count: Int { state.withLock { $0.held.count } }

  /// Waits until the request is chosen, and responds with the current data of the server.
  func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    let id = state.withLock { state in
      state.newest += 1
      return state.newest
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          guard state.cancelled.remove(id) == nil else { return true }
          state.held.append(Held(id: id, request: request, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(throwing: Self.cancellation) }
      }
    } onCancel: {
      let held = state.withLock { state in
        guard let index = state.held.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return Held?.none
        }
        return state.held.remove(at: index)
      }
      held?.continuation.resume(throwing: Self.cancellation)
    }
  }

  /// Lets the server respond to one of the requests, chosen at random; does nothing where none waits.
  func release(_ random: inout SeededGenerator) {
    let number = random.next()
    let held: Held? = state.withLock { state in
      guard !state.held.isEmpty else { return nil }
      // The order in which they arrived is that of the machine's threads.
      state.held.sort { ($0.order, $0.id) < ($1.order, $1.id) }
      return state.held.remove(at: Int(number % UInt64(state.held.count)))
    }
    if let held { held.continuation.resume(returning: server(held.request)) }
  }

  /// Lets the server respond to the first request of this address, a path with its query.
  func release(_ address: String) {
    let held: Held? = state.withLock { state in
      guard let index = state.held.firstIndex(where: { $0.order.hasSuffix(address) }) else {
        return nil
      }
      return state.held.remove(at: index)
    }
    if let held { held.continuation.resume(returning: server(held.request)) }
  }

  /// Waits until every load of the service has its request here.
  ///
  /// There may be more: of loads that were just cancelled, and of resources without an owner.
  ///
  /// - Returns: false if that does not happen.
  nonisolated(nonsending) func haveArrived(from service: Service) async -> Bool {
    let isComplete = await soon {
      var counts: [String: Int] = [:]
      for held in state.withLock({ $0.held }) { counts[held.order, default: 0] += 1 }
      return service.resources.allSatisfy { resource in
        let loadCount = resource.state.loads.count
        guard loadCount > 0 else { return true }
        let body = String(decoding: resource.key.body ?? Data(), as: UTF8.self)
        return counts[resource.key.url + body, default: 0] >= loadCount
      }
    }
    if !isComplete { Issue.record("not every load of the service has its request here") }
    return isComplete
  }

  /// Waits until the requests here are those of the service's loads, and no others.
  ///
  /// - Returns: how many there are; -1 if that does not happen.
  nonisolated(nonsending) func exactCount(from service: Service) async -> Int {
    var found = -1
    let isExact = await soon {
      found = count
      return found == service.loadingCount
    }
    if isExact { return found }
    Issue.record("\(found) requests are here, and the service has \(service.loadingCount) loads")
    return -1
  }

  private static var cancellation: TransportError {
    TransportError(.cancelled, "The request was cancelled while it was held.")
  }
}

extension Service {
  /// How many loads are under way; a resource may have several.
  var loadingCount: Int { resources.reduce(0) { $0 + $1.state.loads.count } }
}

extension PagedCollection {
  /// Waits until the list does not wait for the persistent cache.
  nonisolated(nonsending) func restored() async {
    await until { !list.walk.isRestoring }
  }
}
