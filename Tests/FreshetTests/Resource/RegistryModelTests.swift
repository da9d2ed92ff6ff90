import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The registry and a naive clock")
struct RegistryModelTests {
  @Test(
    "Random use, holding and observing agree with a naive model, to the last look",
    arguments: 1...8 as ClosedRange<UInt64>)
  @MainActor func agrees(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limits = Service.RetentionLimits(
      resourceCount: Int.random(in: 0...8, using: &random),
      byteCount: random.pick([100, 150, .max]))
    let fixture = Fixture(limits: limits)
    for step in 0..<trialCount(5_000) {
      let name = "\(Int.random(in: 0..<30, using: &random))"
      let what = fixture.change(name, using: &random)
      fixture.registry.entries.checkInvariants()
      if let difference = fixture.difference {
        Issue.record("seed \(seed) step \(step), \(what) \(name): \(difference)")
        return
      }
    }
  }

  @Test(
    "Looks at resources that use the registry meanwhile leave it whole",
    arguments: 1...8 as ClosedRange<UInt64>)
  @MainActor func reentrantLooks(seed: UInt64) {
    let fixture = ReentrantFixture(seed: seed)
    for _ in 0..<trialCount(3_000) {
      fixture.change()
      fixture.registry.entries.checkInvariants()
    }
  }
}

/// A registry whose looks at resources use it again: what a look deallocates may do that.
private final class ReentrantFixture {
  private var random: SeededGenerator
  private let limits: Service.RetentionLimits
  private var held: [String: AnyResource] = [:]
  private var observed: Set<String> = []
  private var depth = 0
  private let isolation: StoreIsolation
  private(set) lazy var registry = Registry(limits: limits) { [unowned self] in
    if depth < 3, random.chance(0.1) {
      depth += 1
      change()
      depth -= 1
    }
    return observed.contains(name(of: $0))
  }
  private lazy var store = Store(
    base: BaseURL("https://api.test"), transport: StubTransport(), clock: ManualClock(),
    isolation: isolation, registry: registry)

  init(seed: UInt64, isolation: isolated any Actor = #isolation) {
    random = SeededGenerator(seed: seed)
    limits = Service.RetentionLimits(
      resourceCount: Int.random(in: 0...8, using: &random), byteCount: random.pick([100, .max]))
    self.isolation = StoreIsolation(isolation: isolation)
  }

  func change() {
    let name = "\(Int.random(in: 0..<20, using: &random))"
    let resource = store.resource(
      ResourceKey(url: "https://api.test/\(name)"), decoder: ContentDecoder<Data>.data)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: held[name] = resource
    case 1: held[name] = nil
    case 2: registry.setBytes(Int.random(in: 0..<60, using: &random), of: resource)
    case 3, 4:
      observed.insert(name)
      registry.becameObserved(resource)
    case 5:
      observed.remove(name)
      registry.becameUnobserved(resource)
    case 6: observed.remove(name)
    default: registry.evictUnused()
    }
  }
}

/// A registry beside its model.
private final class Fixture {
  let registry: Registry
  private let store: Store
  private let world = World()
  private var model: NaiveClock

  /// What the program does with resources.
  final class World {
    var held: [String: AnyResource] = [:]
    var observed: Set<String> = []
    var looks = 0
  }

  init(limits: Service.RetentionLimits, isolation: isolated any Actor = #isolation) {
    model = NaiveClock(limits: limits)
    registry = Registry(limits: limits) { [world] in
      world.looks += 1
      return world.observed.contains(name(of: $0))
    }
    store = Store(
      base: BaseURL("https://api.test"), transport: StubTransport(), clock: ManualClock(),
      isolation: StoreIsolation(isolation: isolation), registry: registry)
  }

  func change(_ name: String, using random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5:
      let resource = use(name)
      if random.chance(0.2) { world.held[name] = resource }
      if world.held[name] == nil { model.dropped(name) }
      return "used"
    case 5..<7:
      guard let resource = world.held[name] else { return "not held" }
      let bytes = Int.random(in: 0..<60, using: &random)
      registry.setBytes(bytes, of: resource)
      model.setBytes(bytes, of: name)
      return "grown"
    case 7..<9:
      world.held[name] = nil
      model.dropped(name)
      return "dropped"
    case 9:
      let resource = use(name)
      world.observed.insert(name)
      registry.becameObserved(resource)
      model.observe(name)
      if world.held[name] == nil { model.dropped(name) }
      return "observed"
    case 10:
      guard world.observed.remove(name) != nil else { return "not observed" }
      model.leave(name)
      return "left unnoticed"
    default:
      guard world.observed.remove(name) != nil else { return "not observed" }
      do {
        let resource = registry.all.first { $0.key.url.hasSuffix("/\(name)") }
        if let resource { registry.becameUnobserved(resource) }
        model.leaveNoticed(name)
      }
      if world.held[name] == nil { model.dropped(name) }
      return "left"
    }
  }

  private func use(_ name: String) -> AnyResource {
    let resource = store.resource(
      ResourceKey(url: "https://api.test/\(name)"), decoder: ContentDecoder<Data>.data)
    if let known = world.held[name] { #expect(known === resource) }
    model.use(name)
    return resource
  }

  /// The difference between the two; nil if there is none.
  var difference: String? {
    let living = registry.all.map(name(of:)).sorted()
    let kept = registry.entries.kept
    guard living == model.living, kept.count == model.kept.count, kept.bytes == model.keptBytes,
      registry.entries.exempt.count == model.exempt.count, world.looks == model.looks
    else { return "\(living), \(kept), \(world.looks) looks; but \(model)" }
    return nil
  }
}

private func name(of resource: AnyResource) -> String {
  resource.url?.lastPathComponent ?? ""
}

/// The rules of ``Registry``, written with arrays.
private struct NaiveClock {
  struct Entry {
    let name: String
    var bytes = 0
    var isUsed = true
    /// Whether the registry holds it.
    var isHeld = true
    /// Whether the program does.
    var isInUse = true
    var isObserved = false

    var isAlive: Bool { isHeld || isInUse }
  }

  let limits: Service.RetentionLimits
  /// Those that the hand comes to first are first.
  var kept: [Entry] = []
  var exempt: [Entry] = []
  var looks = 0

  var keptBytes: Int { kept.reduce(0) { $0 + $1.bytes } }
  var living: [String] { (kept + exempt).filter(\.isAlive).map(\.name).sorted() }

  mutating func use(_ name: String) {
    if let index = exempt.firstIndex(where: { $0.name == name && $0.isAlive }) {
      exempt[index].isInUse = true
      exempt[index].isUsed = true
      guard !exempt[index].isHeld else { return }
      var entry = exempt.remove(at: index)
      entry.isHeld = true
      kept.append(entry)
      trim()
    } else if let index = kept.firstIndex(where: { $0.name == name }) {
      kept[index].isInUse = true
      kept[index].isUsed = true
    } else {
      kept.append(Entry(name: name))
      trim()
      change(name) { $0.isUsed = false }
    }
  }

  mutating func setBytes(_ count: Int, of name: String) {
    change(name) { $0.bytes = count }
    trim()
  }

  mutating func dropped(_ name: String) { change(name) { $0.isInUse = false } }

  mutating func observe(_ name: String) {
    if let index = exempt.firstIndex(where: { $0.name == name && $0.isAlive && !$0.isHeld }) {
      exempt.append(exempt.remove(at: index))
    }
    change(name) {
      $0.isHeld = true
      $0.isUsed = true
      $0.isObserved = true
    }
  }

  mutating func leave(_ name: String) { change(name) { $0.isObserved = false } }

  mutating func leaveNoticed(_ name: String) {
    change(name) {
      $0.isObserved = false
      $0.isInUse = true
    }
    guard let index = exempt.firstIndex(where: { $0.name == name && $0.isAlive }) else { return }
    looks += 1
    kept.append(exempt.remove(at: index))
    trim()
  }

  private mutating func change(_ name: String, _ change: (inout Entry) -> Void) {
    for index in kept.indices where kept[index].name == name { change(&kept[index]) }
    for index in exempt.indices where exempt[index].name == name && exempt[index].isAlive {
      change(&exempt[index])
    }
  }

  private var isOverLimits: Bool {
    kept.count > limits.resourceCount || keptBytes > limits.byteCount
  }

  private mutating func trim() {
    var vain = 0
    while vain < 2, !exempt.isEmpty {
      let entry = exempt.removeFirst()
      guard entry.isAlive else { continue }
      looks += 1
      if entry.isHeld, !entry.isObserved {
        kept.append(entry)
      } else {
        exempt.append(entry)
        vain += 1
      }
    }
    while isOverLimits {
      var entry = kept.removeFirst()
      looks += 1
      if entry.isObserved {
        exempt.append(entry)
      } else if entry.isUsed {
        entry.isUsed = false
        kept.append(entry)
      } else if entry.isInUse {
        entry.isHeld = false
        exempt.append(entry)
      }
    }
  }
}
