import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// The work is counted, not timed: places looked at for each call.
@Suite("The registry at scale", .standardTimeLimit)
struct RegistryScaleTests {
  @Test(
    "100,000 resources through a limit of 2,048 cost the same each",
    arguments: StoreActor.allCases)
  func noCliff(actor: StoreActor) async {
    await actor.run { actor in
      let (store, registry) = Self.store(count: 2_048)
      var most = 0
      for number in 0..<100_000 {
        let before = registry.lookCount
        _ = store.resource(ResourceKey(url: "https://api.test/\(number)"), decoder: .data)
        most = max(most, registry.lookCount - before)
        if registry.keptCount > 2_048 {
          Issue.record("\(registry.keptCount) kept")
          return
        }
      }
      #expect(registry.keptCount == 2_048)
      #expect(most <= 5)
      #expect(registry.lookCount <= 3 * 100_000)
      #expect(registry.placeCount <= 2_048 + 4)
    }
  }

  @Test("Resources that all are held or observed cost no more", arguments: StoreActor.allCases)
  func nothingToEvict(actor: StoreActor) async {
    await actor.run { actor in
      let (store, registry) = Self.store(count: 64)
      let recorder = EventRecorder()
      var held: [AnyResource] = []
      for number in 0..<5_000 {
        let key = ResourceKey(url: "https://api.test/\(number)")
        let resource = store.resource(key, decoder: ContentDecoder<Data>.data)
        if number.isMultiple(of: 2) {
          held.append(resource)
        } else {
          resource.addObserver(recorder)
        }
        if registry.keptCount > 64 {
          Issue.record("\(registry.keptCount) kept")
          return
        }
      }
      #expect(registry.lookCount <= 6 * 5_000)
      #expect(registry.all.count == 5_000)
    }
  }

  @Test("200,000 resources that come and go leave the memory of a few")
  @MainActor func bounded() {
    let (store, registry) = Self.store(count: 16)
    // All under names that come again, which is where places could be lost.
    for number in 0..<200_000 {
      let key = ResourceKey(url: "https://api.test/\(number % 20_000)")
      _ = registry.resource(key, ContentDecoder<Data>.data.erased) { key in
        Resource<Data>(key: key, decoder: .data, store: store)
      }
    }
    #expect(registry.placeCount <= 20)
    #expect(registry.all.count <= 16)
  }

  @Test(
    "Random use agrees with a naive list of the least recently used",
    arguments: [1, 2, 3, 4] as [UInt64])
  @MainActor func agreesWithModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limits = RetentionLimits(count: 8, bytes: 100)
    let (store, registry) = Self.store(count: limits.count, bytes: limits.bytes)
    var model = NaiveRegistry(limits: limits)
    var held: [String: AnyResource] = [:]
    for step in 0..<5_000 {
      let name = "\(Int.random(in: 0..<30, using: &random))"
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let resource = store.resource(
          ResourceKey(url: "https://api.test/\(name)"), decoder: ContentDecoder<Data>.data)
        model.use(name, isHeld: held[name] != nil)
        if let known = held[name] { #expect(known === resource) }
        if random.chance(0.2) { held[name] = resource }
      case 6..<8:
        if let resource = held[name] {
          let bytes = Int.random(in: 0..<60, using: &random)
          registry.setBytes(bytes, of: resource)
          model.setBytes(bytes, of: name)
        }
      default:
        held[name] = nil
        model.release(name)
      }
      let living = Set(registry.all.compactMap { $0.url?.lastPathComponent })
      guard living == model.kept(with: held.keys), registry.keptCount == model.order.count,
        registry.keptBytes == model.bytes
      else {
        Issue.record("seed \(seed) step \(step): \(living) \(model)")
        return
      }
    }
  }

  @Test("Random observing keeps the limits and loses nothing", arguments: [1, 2, 3] as [UInt64])
  @MainActor func randomObserving(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (store, registry) = Self.store(count: 5)
    let recorder = EventRecorder()
    var observed: [String: ObjectIdentifier] = [:]
    for step in 0..<5_000 {
      let name = "\(Int.random(in: 0..<40, using: &random))"
      let resource = store.resource(
        ResourceKey(url: "https://api.test/\(name)"), decoder: ContentDecoder<Data>.data)
      if let known = observed[name] { #expect(known == ObjectIdentifier(resource)) }
      if random.chance(0.3) {
        resource.addObserver(recorder)
        observed[name] = ObjectIdentifier(resource)
      } else if random.chance(0.5) {
        resource.removeObserver(recorder)
        observed[name] = nil
      }
      recorder.drain()
      let count = registry.all.count
      guard registry.keptCount <= 5, count >= observed.count, count <= observed.count + 45 else {
        Issue.record("seed \(seed) step \(step): \(registry.keptCount) of \(count)")
        return
      }
    }
  }

  private static func store(
    count: Int, bytes: Int = .max, isolation: isolated any Actor = #isolation
  ) -> (Store, Registry) {
    let registry = Registry(limits: RetentionLimits(count: count, bytes: bytes))
    let store = Store(
      base: BaseURL("https://api.test"), transport: StubTransport(), clock: ManualClock(),
      isolation: StoreIsolation(isolation: isolation))
    store.registry = registry
    return (store, registry)
  }
}

/// The same rules, with arrays.
private struct NaiveRegistry {
  let limits: RetentionLimits
  /// What is kept, oldest first.
  var order: [String] = []
  var sizes: [String: Int] = [:]

  var bytes: Int { order.reduce(0) { $0 + (sizes[$1] ?? 0) } }

  mutating func use(_ name: String, isHeld: Bool) {
    if !order.contains(name), !isHeld { sizes[name] = 0 }
    order.removeAll { $0 == name }
    order.append(name)
    trim()
  }

  mutating func setBytes(_ count: Int, of name: String) {
    sizes[name] = count
    trim()
  }

  mutating func release(_ name: String) {
    if !order.contains(name) { sizes[name] = nil }
  }

  func kept(with held: some Collection<String>) -> Set<String> { Set(order).union(held) }

  private mutating func trim() {
    while order.count > limits.count || bytes > limits.bytes { order.removeFirst() }
  }
}
