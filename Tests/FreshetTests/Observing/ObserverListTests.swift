import FreshetTesting
import Testing

@testable import Freshet

@Suite("The list of observers")
struct ObserverListTests {
  @Test("One that is added and removed again and again leaves nothing in the table of a long list")
  func addedAndRemoved() throws {
    let recorders = (0..<10_000).map { _ in EventRecorder() }
    let list = ObserverList<ResourceListener>()
    for recorder in recorders { _ = list.append(ResourceListener(recorder, owner: nil)) }
    for step in 0..<5_000 {
      let recorder = recorders[step % 3]
      let serial = try #require(list.serial(of: ObjectIdentifier(recorder)))
      #expect(list.remove(serial) != nil)
      #expect(list.serial(of: ObjectIdentifier(recorder)) == nil)
      if step.isMultiple(of: 100) { list.checkInvariants() }
      list.sweep()
      let added = list.append(ResourceListener(recorder, owner: nil))
      #expect(list.contains(added) && !list.contains(serial))
    }
    #expect(list.byIdentity?.count == 10_000)
    #expect(recorders.allSatisfy { list.serial(of: ObjectIdentifier($0)) != nil })
  }
}
