import Freshet

/// Looks up resources in a store: existing ones, new ones, and more than it keeps.
func lookup(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  for name in ["lookup", "lookup.absolute"] where run.wants(name) {
    var comparisons: [Comparison] = []
    for count in run.sizes(1_000, 10_000, 100_000, 1_000_000, quick: 10_000) {
      comparisons.append(lookupComparison(name, count: count))
    }
    await run.compare(comparisons)
  }
  // All are kept in the first, and nearly none in the second.
  for (name, limit) in [("create", Int.max), ("create.evict", 1_000)] where run.wants(name) {
    var comparisons: [Comparison] = []
    for count in run.sizes(1_000, 10_000, 100_000, 1_000_000, quick: 10_000) {
      comparisons.append(
        Comparison(
          name, n: count, per: count,
          ours: creations(count: count, limit: limit, on: actor),
          floor: .init(name: "Dictionary", work: insertions(count: count))))
    }
    await run.compare(comparisons)
  }
}

private func path(_ number: Int) -> String { "/things/\(number)" }

private func lookupComparison(
  _ name: String, count: Int, isolation: isolated any Actor = #isolation
) -> Comparison {
  let service = Service(
    baseURL: "https://bench.test", transport: InstantTransport(),
    limits: Service.RetentionLimits(resourceCount: .max), isolation: #isolation)
  let held = (0..<count).map { service.resource(path($0), of: String.self) }
  let dictionary = Dictionary(uniqueKeysWithValues: held.map { ($0.key.url, $0) })
  // In random order, so that the machine's caches help no more than in a program.
  let numbers = (0..<1_000).map { _ in Int.random(in: 0..<count) }
  let paths = numbers.map(path)
  let urls = numbers.map { held[$0].key.url }
  return Comparison(
    name, n: count, per: numbers.count,
    ours: name == "lookup"
      ? repeating {
        for path in paths { blackHole(service.resource(path, of: String.self)) }
      }
      : repeating {
        for url in urls { blackHole(service.resource(absoluteURL: url, of: String.self)) }
      },
    floor: .init(
      name: "Dictionary",
      work: repeating {
        for url in urls { blackHole(dictionary[url]) }
      }))
}

private func creations(count: Int, limit: Int, on actor: isolated StoreActor) -> Work {
  let paths = (0..<count).map(path)
  return { iterations in
    var elapsed = Duration.zero
    for _ in 0..<iterations {
      actor.assertIsolated()
      let service = Service(
        baseURL: "https://bench.test", transport: InstantTransport(),
        limits: Service.RetentionLimits(resourceCount: limit), isolation: #isolation)
      let start = ContinuousClock.now
      for path in paths { blackHole(service.resource(path, of: String.self)) }
      elapsed += ContinuousClock.now - start
    }
    return elapsed
  }
}

/// As many objects in a dictionary by their URL.
private func insertions(count: Int) -> Work {
  let urls = (0..<count).map { "https://bench.test" + path($0) }
  return { iterations in
    var elapsed = Duration.zero
    for _ in 0..<iterations {
      var objects: [String: PlainObject] = [:]
      let start = ContinuousClock.now
      for url in urls { objects[url] = PlainObject() }
      elapsed += ContinuousClock.now - start
      blackHole(objects)
    }
    return elapsed
  }
}

private final class PlainObject {}
