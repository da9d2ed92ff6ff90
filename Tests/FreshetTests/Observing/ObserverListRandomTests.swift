import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The observers of a resource under random changes")
struct ObserverListRandomTests {
  private static let slots = 60
  private static let owners = 5

  /// The steps of a test. The observers are kept in slots.
  private enum Change {
    case add(slot: Int)
    case addOwned(slot: Int, by: Int)
    case remove(slot: Int)
    case removeOwned(by: Int)
    case dropOwner(Int)
    /// Drops an observer, and makes another one for its slot.
    case remake(slot: Int)
  }

  /// The observers, modeled with an array: all that observe, in the order in which they were added.
  private struct Model {
    struct Entry: Equatable {
      let name: Int
      let serial: Int
    }

    private(set) var entries: [Entry] = []
    /// The names of the observers.
    private(set) var names = Array(1...slots)
    /// Owners by name, -1 for the object itself.
    private var owners: [Int: Set<Int>] = [:]
    /// Those with both kinds of owners: held until the next event after the others were
    /// deallocated.
    private var mixed: Set<Int> = []
    private var newest = 0

    mutating func perform(_ change: Change) {
      switch change {
      case .add(let slot): add(names[slot], owner: -1)
      case .addOwned(let slot, let owner): add(names[slot], owner: owner)
      case .remove(let slot): remove(names[slot])
      case .removeOwned(let owner), .dropOwner(let owner): drop(owner: owner)
      case .remake(let slot):
        let (name, next) = (names[slot], (names.max() ?? 0) + 1)
        if owners[name] == [-1] { remove(name) }
        names[slot] = next
      }
    }

    /// Whether the end of that observer is not put off.
    func mayRemake(_ slot: Int) -> Bool { !mixed.contains(names[slot]) }

    /// The receivers of an event, each of which may react to it.
    mutating func emit(_ plan: [Int: Change]) -> [Int] {
      let before = entries
      return before.filter { entry in
        guard entries.contains(entry) else { return false }
        plan[entry.name].map { perform($0) }
        return true
      }.map(\.name)
    }

    private mutating func add(_ name: Int, owner: Int) {
      if !entries.contains(where: { $0.name == name }) {
        newest += 1
        entries.append(Entry(name: name, serial: newest))
      }
      let now = owners[name, default: []].union([owner])
      owners[name] = now
      if now.contains(-1), now.count > 1 { mixed.insert(name) }
    }

    private mutating func remove(_ name: Int) {
      entries.removeAll { $0.name == name }
      owners[name] = nil
      mixed.remove(name)
    }

    private mutating func drop(owner: Int) {
      for name in entries.map(\.name) {
        owners[name]?.remove(owner)
        if owners[name]?.isEmpty == true { remove(name) }
      }
    }
  }

  private final class NamedObserver: ResourceObserver {
    let name: Int
    let onEvent: (Int) -> Void

    init(_ name: Int, _ onEvent: @escaping (Int) -> Void) {
      self.name = name
      self.onEvent = onEvent
    }

    func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
      if event == .invalidated { onEvent(name) }
    }
  }

  /// A resource and its observers.
  private final class ObservedResource {
    let resource: Resource<String>
    private var observers: [NamedObserver] = []
    private var owners = (0..<ObserverListRandomTests.owners).map { _ in Owner() }
    private var newest = 0
    private var received: [Int] = []
    private var plan: [Int: Change] = [:]

    init(_ resource: Resource<String>) {
      self.resource = resource
      observers = (0..<slots).map { _ in make() }
    }

    func perform(_ change: Change) {
      switch change {
      case .add(let slot): resource.addObserver(observers[slot])
      case .addOwned(let slot, let owner):
        resource.addObserver(observers[slot], owner: owners[owner])
      case .remove(let slot): resource.removeObserver(observers[slot])
      case .removeOwned(let owner): resource.removeObservers(ownedBy: owners[owner])
      case .dropOwner(let owner): owners[owner] = Owner()
      case .remake(let slot): observers[slot] = make()
      }
    }

    /// The receivers of an event, each of which may react to it.
    func emit(_ plan: [Int: Change]) -> [Int] {
      (self.plan, received) = (plan, [])
      resource.invalidate()
      return received
    }

    private func make() -> NamedObserver {
      newest += 1
      return NamedObserver(newest) { [unowned self] name in
        received.append(name)
        if let change = plan[name] { perform(change) }
      }
    }
  }

  private static func change(_ random: inout SeededGenerator) -> Change {
    let slot = Int.random(in: 0..<slots, using: &random)
    let owner = Int.random(in: 0..<owners, using: &random)
    return switch Int.random(in: 0..<12, using: &random) {
    case 0..<5: .add(slot: slot)
    case 5..<7: .addOwned(slot: slot, by: owner)
    case 7..<10: .remove(slot: slot)
    case 10: .removeOwned(by: owner)
    default: .dropOwner(owner)
    }
  }

  @Test(
    "Who observes, and in which order, is what an array says",
    arguments: [1, 2, 3] as [UInt64], [1, 7, 60])
  @MainActor func agreesWithModel(seed: UInt64, pause: Int) {
    var random = SeededGenerator(seed: seed)
    let observed = ObservedResource(ServiceFixture().text("a"))
    var model = Model()
    for step in 0..<trialCount(2_000) {
      let slot = Int.random(in: 0..<Self.slots, using: &random)
      let change =
        random.chance(0.1) && model.mayRemake(slot)
        ? .remake(slot: slot) : Self.change(&random)
      observed.perform(change)
      model.perform(change)
      observed.resource.observersIfAny?.checkInvariants()
      // With a pause, the places of those that were removed pile up.
      guard step % pause == 0 else { continue }
      var plan: [Int: Change] = [:]
      while random.chance(0.6) { plan[random.pick(model.names)] = Self.change(&random) }
      let (received, expected) = (observed.emit(plan), model.emit(plan))
      guard received == expected, observed.resource.isObserved == !model.entries.isEmpty else {
        Issue.record("seed \(seed) step \(step): \(received), expected \(expected)")
        return
      }
    }
  }
}
