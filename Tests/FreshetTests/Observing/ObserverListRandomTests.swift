import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The observers of a resource under random changes")
struct ObserverListRandomTests {
  /// What observers are, told with an array: all that observe, in the order in which they were added.
  private struct Model {
    var names: [Int] = []
    /// Owners by name, -1 for the object itself.
    var owners: [Int: Set<Int>] = [:]

    mutating func add(_ name: Int, owner: Int) {
      if !names.contains(name) { names.append(name) }
      owners[name, default: []].insert(owner)
    }

    mutating func remove(_ name: Int) {
      names.removeAll { $0 == name }
      owners[name] = nil
    }

    mutating func drop(owner: Int) {
      for name in names {
        owners[name]?.remove(owner)
        if owners[name]?.isEmpty == true { remove(name) }
      }
    }
  }

  private final class Named: ResourceObserver {
    let name: Int
    let hear: (Int, ResourceEvent) -> Void

    init(_ name: Int, _ hear: @escaping (Int, ResourceEvent) -> Void) {
      self.name = name
      self.hear = hear
    }

    func resourceChanged(_ resource: AnyResource, event: ResourceEvent) { hear(name, event) }
  }

  @Test(
    "Who observes, and in which order, is what an array says", arguments: [1, 2, 3] as [UInt64])
  @MainActor func agreesWithModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let resource = Scene().text("a")
    var heard: [Int] = []
    var model = Model()
    let observers = (0..<60).map { name in
      Named(name) { if $1 == .invalidated { heard.append($0) } }
    }
    var owners = (0..<5).map { _ in Owner() }
    for step in 0..<2_000 {
      let (name, owner) = (Int.random(in: 0..<60, using: &random), random.pick([0, 1, 2, 3, 4]))
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<5:
        resource.addObserver(observers[name])
        model.add(name, owner: -1)
      case 5..<7:
        resource.addObserver(observers[name], owner: owners[owner])
        model.add(name, owner: owner)
      case 7..<10:
        resource.removeObserver(observers[name])
        model.remove(name)
      case 10:
        resource.removeObservers(ownedBy: owners[owner])
        model.drop(owner: owner)
      default:
        owners[owner] = Owner()
        model.drop(owner: owner)
      }
      heard = []
      resource.invalidate()
      guard heard == model.names, resource.isObserved == !model.names.isEmpty else {
        Issue.record("seed \(seed) step \(step): \(heard), expected \(model.names)")
        return
      }
    }
  }
}
