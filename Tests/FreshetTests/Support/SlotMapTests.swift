import FreshetTesting
import Testing

@testable import Freshet

@Suite("Values in slots that are reused")
struct SlotMapTests {
  private final class Object {}

  @Test(
    "They agree with a dictionary, and no slot is lost", arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (map, naive) = (SlotMap<Int>(), [Int: Int]())
    var most = 0
    for step in 0..<500 {
      if random.chance(0.55) || naive.isEmpty {
        let slot = map.insert(step)
        #expect(naive.updateValue(step, forKey: slot) == nil, "seed \(seed) step \(step)")
      } else {
        let slot = random.pick(naive.keys.sorted())
        naive[slot] = nil
        map.remove(at: slot)
      }
      map.checkInvariants()
      most = max(most, naive.count)
      #expect(map.count == naive.count, "seed \(seed) step \(step)")
      #expect(
        (-1...most).allSatisfy { map[$0] == naive[$0] }, "seed \(seed) step \(step)")
      #expect(naive.keys.allSatisfy { $0 < most }, "a new slot where one was free: seed \(seed)")
      #expect(map.values.sorted() == naive.values.sorted(), "seed \(seed) step \(step)")
    }
  }

  @Test("An object is removed from its slot alone")
  func objects() {
    let (first, second) = (Object(), Object())
    var map = SlotMap<Object>()
    let slots = [map.insert(first), map.insert(second)]
    for slot in [slots[1], -1, 2] { map.remove(first, at: slot) }
    #expect(map.count == 2)
    map.remove(first, at: slots[0])
    map.remove(first, at: slots[0])
    map.checkInvariants()
    #expect(map[slots[0]] == nil && map[slots[1]] === second)
  }

  @Test("A value is released with its removal")
  func release() {
    weak var released: Object?
    var map = SlotMap<Object>()
    do {
      let object = Object()
      released = object
      _ = map.insert(object)
    }
    map.remove(at: 0)
    #expect(released == nil)
    withExtendedLifetime(map) {}
  }
}
