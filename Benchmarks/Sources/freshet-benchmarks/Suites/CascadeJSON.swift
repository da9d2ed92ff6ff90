import Dispatch
import Foundation
import Freshet
import Synchronization

/// The first walk along a chain of pages of JSON, compared to decoding alone; and what it costs beside
/// decoding.
func cascadeJSON(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  let count = run.options.isQuick ? 200 : 1_000
  for name in ["cascade.json", "cascade.json.wrapped"] where run.wants(name) {
    let list = GaugeList.known(pageCount: count, isWrapped: name != "cascade.json")
    await run.compare([
      Comparison(
        name, n: count, unit: .nsPerPage, per: count,
        ours: walks(of: list, on: actor),
        floor: .init(name: "decoding alone", work: decodings(of: list)))
    ])
  }
  if run.wants("cascade.json.actor") {
    let list = GaugeList.known(pageCount: count, isWrapped: false)
    var samples = Samples()
    for _ in 0..<run.options.sampleCount {
      samples.append(await timeBesideDecoding(walking: list) / .nanoseconds(1) / Double(count))
    }
    run.record(Row(name: "cascade.json.actor", n: count, unit: .nsPerPage, samples: samples))
  }
  if run.wants("cascade.json.queue") {
    let list = GaugeList.known(pageCount: count, isWrapped: false)
    var samples = Samples()
    for _ in 0..<run.options.sampleCount {
      let busy = await QueueActor().busyTime(walking: list)
      samples.append(busy / .nanoseconds(1) / Double(count))
    }
    run.record(Row(name: "cascade.json.queue", n: count, unit: .nsPerPage, samples: samples))
  }
}

extension GaugeList {
  fileprivate static func known(pageCount: Int, isWrapped: Bool) -> GaugeList {
    guard let list = try? GaugeList(pageCount: pageCount, isWrapped: isWrapped) else {
      preconditionFailure("cascade.json: the items cannot be encoded")
    }
    return list
  }
}

private func walks(of list: GaugeList, on actor: isolated StoreActor) -> Work {
  { iterations in
    var elapsed = Duration.zero
    for _ in 0..<iterations {
      actor.assertIsolated()
      let service = Service(instant: GaugeTransport(list: list))
      let start = ContinuousClock.now
      let collection = service.pages("/items?page=0", of: Gauge.self, style: list.style)
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
      items +=
        (list.isWrapped
          ? try? JSONDecoder().decode(GaugePage.self, from: body).items
          : try? JSONDecoder().decode([Gauge].self, from: body)) ?? []
    }
    blackHole(items)
  }
}

/// How long a walk on a plain actor takes without the time in which its pages are decoded: one page after
/// the other, so that nothing else happens meanwhile.
private func timeBesideDecoding(
  walking list: GaugeList, isolation: isolated any Actor = #isolation
) async -> Duration {
  let meter = Meter()
  let decoder = ContentDecoder<Page<Gauge>>("metered") { input in
    let start = ContinuousClock.now
    defer { meter.add(ContinuousClock.now - start) }
    return try PageStyle.linkHeader.page(of: Gauge.self, from: input.response, to: input.key)
  }
  let service = Service(instant: GaugeTransport(list: list))
  let start = ContinuousClock.now
  let collection = PagedCollection(
    firstPage: service.resource("/items?page=0", decoder: decoder), options: .unlimited())
  collection.loadAll()
  await collection.settled()
  precondition(collection.pageCount == list.bodies.count, "cascade.json: pages are missing")
  return ContinuousClock.now - start - meter.total
}

/// Adds up durations.
private final class Meter: Sendable {
  private let sum = Mutex(Duration.zero)

  var total: Duration { sum.withLock { $0 } }
  func add(_ duration: Duration) { sum.withLock { $0 += duration } }
}

/// A store's actor whose executor is a dispatch queue that measures how long it was busy.
private actor QueueActor {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func busyTime(walking list: GaugeList) async -> Duration {
    let before = executor.busy
    let service = Service(instant: GaugeTransport(list: list), isolation: self)
    let collection = service.pages("/items?page=0", of: Gauge.self, style: list.style)
    collection.loadAll()
    await collection.settled()
    precondition(collection.pageCount == list.bodies.count, "cascade.json: pages are missing")
    return executor.busy - before
  }
}

/// Runs the jobs of one actor on a queue and adds up how long they take.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "metered")
  private let meter = Meter()

  /// How long all jobs so far have taken.
  var busy: Duration { meter.total }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      let start = ContinuousClock.now
      job.runSynchronously(on: asUnownedSerialExecutor())
      meter.add(ContinuousClock.now - start)
    }
  }
}
