import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Resources under random calls, many of them within events and hooks", .standardTimeLimit)
struct ResourceRandomTests {
  @Test(
    "No call nests a delivery, loses the end of a request or brings back what was written over",
    arguments: StoreActor.allCases, 1...8 as ClosedRange<UInt64>)
  func calls(actor: StoreActor, seed: UInt64) async {
    await actor.run { actor in
      for round in 0..<trialCount(25) {
        let seed = seed * 1_000 + UInt64(round)
        weak var service: Service?
        weak var resource: Resource<String>?
        do {
          let program = RandomProgram(seed: seed)
          (service, resource) = (program.service, program.resources[0])
          await program.run(steps: 60)
        }
        let isReleased = await soon { service == nil && resource == nil }
        #expect(isReleased, "seed \(seed): something is kept")
      }
    }
  }
}

/// Holds no resource, as recorders do.
private final class Observer: ResourceObserver {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) { body() }
}

/// A program that makes random calls, in turn and within what it receives.
private final class RandomProgram {
  private let seed: UInt64
  private var random: SeededGenerator
  private let clock = ManualClock()
  private let server: HeldRequests
  /// Nil once the program has released it.
  private(set) var service: Service?
  let resources: [Resource<String>]
  /// The requests, with how often their hooks for the end were called.
  private var requests: [(request: AnyRequest, hookCount: Int)] = []
  private var updates: [ContentUpdate] = []
  private var observers: [(observer: Observer, owner: Owner?)] = []
  private var tokens: [ObservationToken] = []
  private let owner = Owner()
  /// What the first and the last of the observers that stay have received.
  private var logs: [[String]] = [[], []]
  /// The number of the newest call, which the requests carry that begin in it.
  private var call = 0
  /// The calls that have written a resource over last, and what they have written.
  private var writes: [(call: Int, content: String?)] = [(0, nil), (0, nil), (0, nil)]
  private var depth = 0
  private var isRunning = false

  init(seed: UInt64, isolation: isolated any Actor = #isolation) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let dice = Locked(SeededGenerator(seed: ~seed))
    let server = HeldRequests { request in
      let (number, chance) = dice.withLock { ($0.next() % 10, $0.chance(0.4)) }
      let isConditional = request.headers["If-None-Match"] != nil
      if number == 0 { return HTTPResponse(status: 503, to: request) }
      if isConditional, chance { return HTTPResponse(status: 304, to: request) }
      let call = request.headers["X-Request-ID"] ?? ""
      return HTTPResponse(
        status: 200, headers: chance ? ["ETag": "\"\(call)\""] : [:],
        body: Data("\(request.method == .get ? "got" : "put") \(call)".utf8), to: request)
    }
    self.server = server
    let made = Service(
      baseURL: "https://api.test", transport: StubTransport { try await server.respond(to: $0) },
      clock: clock, isolation: isolation)
    resources = ["a", "b", "c"].map { made.resource($0, of: String.self) }
    service = made
    let cache = seed.isMultiple(of: 2) ? MemoryCache() : nil
    made.configure { [unowned self] in
      $0.cache = cache
      $0.headers["X-Request-ID"] = "\(call)"
    }
    for index in logs.indices {
      for resource in resources {
        resource.addObserver(owner: owner) { [unowned self] resource, event in
          received { logs[index].append("\(resource) \(event)") }
        }
      }
    }
  }

  func run(steps: Int, isolation: isolated any Actor = #isolation) async {
    isRunning = true
    for step in 0..<steps {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6: act()
      case 6: clock.advance(by: .seconds(Int.random(in: 0...40, using: &random)))
      default: server.release(&random)
      }
      await arrivals()
      check("step \(step)")
      if step > steps / 2, random.chance(0.03) { service = nil }
    }
    while server.count > 0 {
      server.release(&random)
      await arrivals()
    }
    await until { resources.allSatisfy { !$0.isLoading } }
    await until { requests.allSatisfy { $0.request.isCompleted } }
    check("end")
    #expect(requests.allSatisfy { $0.hookCount == 1 }, "seed \(seed): \(requests.map(\.hookCount))")
    for resource in resources { resource.store.checkInvariants() }
  }

  /// Waits until every request is held by the server, or has ended.
  private func arrivals(isolation: isolated any Actor = #isolation) async {
    await until {
      var pending = requests.filter { !$0.request.isCompleted }.map(\.request)
      for resource in resources { pending += resource.inFlight.all.filter { !$0.isCompleted } }
      return server.count >= Set(pending.map { ObjectIdentifier($0) }).count
    }
  }

  private func check(_ place: String) {
    let place = "seed \(seed) \(place)"
    resources[0].store.checkInvariants()
    #expect(logs[0] == logs[1], "\(place)")
    for (resource, write) in zip(resources, writes) {
      resource.checkInvariants()
      #expect(resource.isLoading == !resource.inFlight.all.isEmpty, "\(place)")
      guard let content = resource.content?.split(separator: "+").first else { continue }
      guard content.hasPrefix("got ") else { continue }
      let call = Int(content.dropFirst(4)) ?? 0
      #expect(call >= write.call, "\(place): \(content) after the write \(write.call)")
    }
  }

  /// Notes that something was received, outside of the receipt of anything else, and perhaps acts.
  private func received(_ note: () -> Void = {}) {
    #expect(depth == 0, "seed \(seed): a delivery within another one")
    depth += 1
    note()
    if isRunning, random.chance(0.15) { act() }
    depth -= 1
  }

  private func follow(_ request: AnyRequest?) {
    guard let request, !requests.contains(where: { $0.request === request }) else { return }
    let index = requests.count
    requests.append((request, 0))
    request.whenEnded { [weak self] _ in
      self?.received { self?.requests[index].hookCount += 1 }
    }
    if random.chance(0.3) { request.onProgress { [weak self] _ in self?.received() } }
    if random.chance(0.3) { request.onWait { [weak self] _ in self?.received() } }
  }

  /// A random call; what it promises at once is checked where nothing else was called within it.
  private func act() {
    call += 1
    let (number, index) = (call, Int.random(in: 0..<resources.count, using: &random))
    let resource = resources[index]
    resource.store.configurationChanged()
    func promise(_ isKept: @autoclosure () -> Bool, _ name: String) {
      guard call == number else { return }
      #expect(isKept(), "seed \(seed) call \(number): \(name)")
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1, 2:
      follow(resource.load())
      promise(resource.isLoading, "load")
    case 3, 4:
      let request = resource.loadIfNeeded()
      // Within a delivery it may be one that was adopted and has ended, whose hook is still to be called.
      promise(
        request.map { $0.isCompleted || resource.isLoading } ?? !resource.isLoading, "loadIfNeeded")
      follow(request)
    case 5:
      resource.cancelLoad()
      promise(!resource.isLoading, "cancelLoad")
    case 6:
      resource.invalidate()
      promise(!resource.isUpToDate, "invalidate")
    case 7: wipe(resource, index, promise)
    case 8:
      writes[index] = (number, "set \(number)")
      resource.overrideLocalContent("set \(number)")
      promise(resource.content == "set \(number)" && !resource.isLoading, "overrideLocalContent")
      promise(resource.isUpToDate && resource.latestError == nil, "overrideLocalContent")
    case 9, 10:
      let update = resource.updateContent { $0 += "+\(number)" }
      promise((update == nil) == (resource.content == nil), "updateContent")
      promise(resource.content?.hasSuffix("+\(number)") != false, "updateContent")
      if let update { updates.append(update) }
    case 11 where !updates.isEmpty:
      let update = random.pick(updates)
      if random.chance(0.5) { update.commit() } else { update.rollBack() }
      promise(!update.isPending, "commit or roll back")
    case 12, 13: observe(resource)
    case 14: stopObserving(resource)
    case 15 where !requests.isEmpty:
      let request = random.pick(requests).request
      request.cancel()
      promise(request.isCompleted, "cancel")
    case 16:
      let put = resource.request(.put)
      follow(put)
      resource.load(using: put)
    case 17: resource.retry()
    case 18: service?.evictUnused()
    case 19 where random.chance(0.5): service?.invalidate(matching: random.pick(["a", "*"]))
    default: wipeAll()
    }
  }

  private func wipe(
    _ resource: Resource<String>, _ index: Int,
    _ promise: (@autoclosure () -> Bool, String) -> Void
  ) {
    writes[index] = (call, nil)
    resource.wipe()
    promise(resource.content == nil && resource.latestError == nil, "wipe")
    promise(!resource.isLoading && resource.timestamp == nil, "wipe")
  }

  private func wipeAll() {
    guard let service else { return }
    for index in writes.indices { writes[index] = (call, nil) }
    service.wipe()
  }

  private func observe(_ resource: Resource<String>) {
    if random.chance(0.5) {
      let observer = Observer { [weak self] in self?.received() }
      let owner = random.chance(0.5) ? Owner() : nil
      observers.append((observer, owner))
      resource.addObserver(observer, owner: owner)
    } else {
      tokens.append(resource.observe { [weak self] _, _ in self?.received() })
    }
  }

  private func stopObserving(_ resource: Resource<String>) {
    if random.chance(0.5), !tokens.isEmpty {
      let token = tokens.remove(at: Int.random(in: 0..<tokens.count, using: &random))
      if random.chance(0.5) { token.cancel() }
    } else if !observers.isEmpty {
      let (observer, owner) = observers.remove(
        at: Int.random(in: 0..<observers.count, using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0: resource.removeObserver(observer)
      case 1: if let owner { resource.removeObservers(ownedBy: owner) }
      default: break
      }
    }
  }
}
