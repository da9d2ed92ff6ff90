import Dispatch
import Foundation
import Freshet
import Synchronization

/// The first walk along a chain of pages of JSON, compared to decoding alone; and how long the
/// store's actor is busy with it.
func cascadeJSON(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  let count = run.options.isQuick ? 200 : 1_000
  guard let list = try? GaugeList(pageCount: count) else {
    preconditionFailure("cascade.json: the items cannot be encoded")
  }
  if run.wants("cascade.json") {
    await run.compare([
      Comparison(
        "cascade.json", n: count, unit: .nsPerPage, per: count,
        ours: walks(of: list, on: actor),
        floor: .init(name: "decoding alone", work: decodings(of: list)))
    ])
  }
  if run.wants("cascade.json.actor") {
    var samples = Samples()
    for _ in 0..<run.options.sampleCount {
      let busy = await MeteredActor().busyTime(walking: list)
      samples.append(busy / .nanoseconds(1) / Double(count))
    }
    run.record(Row(name: "cascade.json.actor", n: count, unit: .nsPerPage, samples: samples))
  }
}

private func walks(of list: GaugeList, on actor: isolated StoreActor) -> Work {
  { iterations in
    var elapsed = Duration.zero
    for _ in 0..<iterations {
      actor.assertIsolated()
      let service = Service(instant: GaugeTransport(list: list))
      let start = ContinuousClock.now
      let collection = service.pages("/items?page=0", of: Gauge.self, style: .linkHeader)
      collection.loadAll()
      await collection.settled()
      elapsed += ContinuousClock.now - start
      precondition(collection.pageCount == list.bodies.count, "cascade.json: pages are missing")
    }
    return elapsed
  }
}

private func decodings(of list: GaugeList) -> Work {
  repeating {
    var items: [Gauge] = []
    for body in list.bodies {
      items += (try? JSONDecoder().decode([Gauge].self, from: body)) ?? []
    }
    blackHole(items)
  }
}

/// A store's actor that measures how long it was busy.
private actor MeteredActor {
  private let executor = MeteredExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func busyTime(walking list: GaugeList) async -> Duration {
    let before = executor.busy
    let service = Service(instant: GaugeTransport(list: list), isolation: self)
    let collection = service.pages("/items?page=0", of: Gauge.self, style: .linkHeader)
    collection.loadAll()
    await collection.settled()
    precondition(collection.pageCount == list.bodies.count, "cascade.json: pages are missing")
    return executor.busy - before
  }
}

/// Runs the jobs of one actor on a queue and adds up how long they take.
private final class MeteredExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "metered")
  private let total = Mutex(Duration.zero)

  /// How long all jobs so far have taken.
  var busy: Duration { total.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      let start = ContinuousClock.now
      job.runSynchronously(on: asUnownedSerialExecutor())
      let elapsed = ContinuousClock.now - start
      total.withLock { $0 += elapsed }
    }
  }
}
