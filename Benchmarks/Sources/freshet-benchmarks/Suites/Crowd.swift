import Foundation
import Freshet

/// Many loads and edits of one resource at once, and many that wait for a persistent cache: each must cost
/// the same however many there are.
func crowd(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  for kind in CrowdKind.allCases where run.wants(kind.rawValue) {
    var comparisons: [Comparison] = []
    for count in run.sizes(1_000, 8_000, quick: 8_000) {
      comparisons.append(
        Comparison(
          kind.rawValue, n: count, unit: .nsPerRequest, per: count,
          ours: { iterations in
            var elapsed = Duration.zero
            for _ in 0..<iterations { elapsed += await time(of: kind, count, on: actor) }
            return elapsed
          }))
    }
    await run.compare(comparisons)
  }
}

private enum CrowdKind: String, CaseIterable {
  case loads = "crowd.loads"
  case adopted = "crowd.adopted"
  case edits = "crowd.edits"
  case flushes = "crowd.flushes"
}

private func time(
  of kind: CrowdKind, _ count: Int, on actor: isolated StoreActor
) async -> Duration {
  switch kind {
  case .loads: await timeOfParallelLoads(count, on: actor)
  case .adopted: timeOfAdoptions(count, on: actor)
  case .edits: timeOfEdits(count, on: actor)
  case .flushes: await timeOfFlushes(count, on: actor)
  }
}

/// Loads that are confirmed, with an entry in a persistent cache that takes no time.
private func timeOfParallelLoads(_ count: Int, on actor: isolated StoreActor) async -> Duration {
  let service = Service(
    instant: InstantTransport(headers: ["ETag": "\"1\""]), clock: TimerlessClock())
  service.configure { $0.cache = NoStorage() }
  let resource = service.resource("/thing", of: Data.self)
  await resource.load().completed()
  let start = ContinuousClock.now
  let requests = (0..<count).map { _ in resource.load() }
  for request in requests { await request.completed() }
  await service.flushCache()
  return ContinuousClock.now - start
}

/// Requests that are under way and that a resource loads from, until that is cancelled.
private func timeOfAdoptions(_ count: Int, on actor: isolated StoreActor) -> Duration {
  let service = Service(
    instant: InstantTransport().delayed(by: .seconds(1_000)), clock: TimerlessClock())
  let resource = service.resource("/thing", of: Data.self)
  let other = service.resource("/other", of: Data.self)
  let requests = (0..<count).map { _ in other.request(.get) }
  let start = ContinuousClock.now
  for request in requests { resource.load(using: request) }
  resource.cancelLoad()
  let elapsed = ContinuousClock.now - start
  for request in requests { request.cancel() }
  return elapsed
}

/// Updates that are committed during a load.
private func timeOfEdits(_ count: Int, on actor: isolated StoreActor) -> Duration {
  let service = Service(
    instant: InstantTransport().delayed(by: .seconds(1_000)), clock: TimerlessClock())
  let resource = service.resource("/thing", of: Data.self)
  resource.overrideLocalContent(Data())
  resource.load()
  let start = ContinuousClock.now
  for _ in 0..<count { resource.updateContent { $0 = Data() }?.commit() }
  let elapsed = ContinuousClock.now - start
  resource.cancelLoad()
  return elapsed
}

/// Callers that wait for a slow persistent cache.
private func timeOfFlushes(_ count: Int, on actor: isolated StoreActor) async -> Duration {
  let service = Service(instant: InstantTransport(), clock: TimerlessClock())
  let cache = NoStorage(isHeld: true)
  service.configure { $0.cache = cache }
  let start = ContinuousClock.now
  await service.resource("/thing", of: Data.self).load().completed()
  var flushes: [Task<Void, Never>] = []
  for _ in 0..<count {
    flushes.append(
      Task {
        actor.assertIsolated()
        await service.flushCache()
      })
  }
  // So that they begin.
  for _ in 0..<100 { await Task.yield() }
  cache.release()
  for flush in flushes { await flush.value }
  return ContinuousClock.now - start
}

/// A persistent cache that keeps nothing.
private final class NoStorage: EntityCache {
  private let gate = AsyncStream<Void>.makeStream()

  init(isHeld: Bool = false) {
    if !isHeld { gate.continuation.finish() }
  }

  /// Lets what was to be stored go.
  func release() { gate.continuation.finish() }

  @concurrent
  func entry(for key: ResourceKey) async throws -> CachedEntry? { nil }
  @concurrent
  func store(_ entry: CachedEntry, for key: ResourceKey) async throws {
    for await _ in gate.stream {}
  }
  @concurrent
  func remove(_ key: ResourceKey) async throws {}
  @concurrent
  func removeAll() async throws {}
  @concurrent
  func removeAll(where matches: @escaping @Sendable (String) -> Bool) async throws {}
}
