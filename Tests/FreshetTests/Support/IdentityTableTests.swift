import Testing

@testable import Freshet

@Suite("A table of places by identity")
struct IdentityTableTests {
  @Test("It finds every object at its place, and no other", arguments: [1, 15, 16, 17, 1_000])
  func findsEveryObject(count: Int) {
    let objects = (0..<2 * count).map { _ in Owner() }
    var table = IdentityTable(capacity: count)
    for place in 0..<count {
      #expect(table.hasRoom)
      table.insert(place, of: ObjectIdentifier(objects[place]))
    }
    for (index, object) in objects.enumerated() {
      let place = table.first(of: ObjectIdentifier(object)) { objects[$0] === object }
      #expect(place == (index < count ? index : nil))
    }
  }

  @Test("Of several places of one object, the first that is sought is found")
  func passesOver() {
    let object = Owner()
    var table = IdentityTable(capacity: 12)
    for place in 0..<12 { table.insert(place, of: ObjectIdentifier(object)) }
    #expect(!table.hasRoom)
    #expect(table.first(of: ObjectIdentifier(object)) { $0 == 7 } == 7)
    #expect(table.first(of: ObjectIdentifier(object)) { $0 == 12 } == nil)
  }
}
