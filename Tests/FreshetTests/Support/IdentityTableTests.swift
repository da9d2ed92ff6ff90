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
      table.insert(place, of: ObjectIdentifier(objects[place])) { _ in true }
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
    for place in 0..<12 { table.insert(place, of: ObjectIdentifier(object)) { _ in true } }
    #expect(!table.hasRoom)
    #expect(table.first(of: ObjectIdentifier(object)) { $0 == 7 } == 7)
    #expect(table.first(of: ObjectIdentifier(object)) { $0 == 12 } == nil)
  }

  @Test("Objects that come and go use the same slots again, and hide no other")
  func comesAndGoes() {
    let objects = (0..<10_000).map { _ in Owner() }
    var table = IdentityTable(capacity: 15_000)
    var isListed: [Bool] = []
    var looks = 0
    func insert(_ object: Owner) -> Int {
      let place = isListed.count
      table.insert(place, of: ObjectIdentifier(object)) {
        looks += 1
        return isListed[$0]
      }
      isListed.append(true)
      return place
    }
    func find(_ object: Owner, at place: Int) -> Bool {
      let found = table.first(of: ObjectIdentifier(object)) {
        looks += 1
        return $0 == place
      }
      return found == place
    }
    var places = objects.map(insert)
    for step in 0..<5_000 {
      let index = step % 3
      isListed[places[index]] = false
      places[index] = insert(objects[index])
      guard find(objects[index], at: places[index]) else {
        Issue.record("step \(step)")
        return
      }
    }
    #expect(table.count == 10_000)
    // A few for each call; without the use of old slots there are hundreds.
    #expect(looks < 30 * 20_000, "\(looks)")
    #expect(zip(objects, places).allSatisfy { find($0, at: $1) })
  }
}
