import Freshet

/// The heap bytes of a loaded resource, of an observer, and of a page of a loaded list.
func memory(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  let count = 10_000
  // An array of 50 numbers: the payload of 432 bytes.
  let list = PagedList(pageCount: count)
  if run.wants("memory.resource") {
    var samples = Samples()
    for _ in 0..<run.repetitions {
      let service = Service(
        baseURL: "https://bench.test", transport: InstantTransport(), clock: TimerlessClock(),
        limits: Service.RetentionLimits(resourceCount: .max), isolation: #isolation)
      let decoder = ContentDecoder<[Int]>("numbers") { _ in Array(0..<50) }
      let before = heapBytes()
      for number in 0..<count {
        await service.resource("/things/\(number)", decoder: decoder).load().completed()
      }
      samples.append(perUnit(count, since: before))
      precondition(service.resources.count == count, "memory.resource: resources are missing")
    }
    run.record(Row(name: "memory.resource", n: count, unit: .bytes, samples: samples))
  }
  if run.wants("memory.observer") {
    var samples = Samples()
    for _ in 0..<run.repetitions {
      let resource = Service(instant: InstantTransport()).resource("/thing", of: String.self)
      let observers = (0..<count).map { _ in IdleObserver() }
      let before = heapBytes()
      for observer in observers { resource.addObserver(observer) }
      samples.append(perUnit(count, since: before))
      withExtendedLifetime(observers) {}
    }
    run.record(Row(name: "memory.observer", n: count, unit: .bytes, samples: samples))
  }
  if run.wants("memory.page") {
    var samples = Samples()
    for _ in 0..<run.repetitions {
      let decoder = ContentDecoder<Page<Int>>("numbers") { input in
        // A new array for each page, so that each has its own storage.
        var page = list.page(at: input.key.url)
        page.items = page.items.map { $0 + 1 }
        return page
      }
      let before = heapBytes()
      let service = Service(
        baseURL: "https://bench.test", transport: InstantTransport(), clock: TimerlessClock(),
        isolation: #isolation)
      let collection = PagedCollection(
        firstPage: service.resource(list.path, decoder: decoder), options: .unlimited())
      collection.loadAll()
      await collection.settled()
      samples.append(perUnit(count, since: before))
      precondition(collection.pageCount == count, "memory.page: pages are missing")
    }
    run.record(Row(name: "memory.page", n: count, unit: .bytes, samples: samples))
  }
}

private func perUnit(_ count: Int, since before: Int?) -> Double {
  guard let before, let after = heapBytes() else { return .nan }
  return Double(after - before) / Double(count)
}

private final class IdleObserver: ResourceObserver {
  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {}
}
