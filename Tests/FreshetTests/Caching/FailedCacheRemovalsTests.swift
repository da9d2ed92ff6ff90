import Testing

@testable import Freshet

@Suite("The memory of failed removals")
struct FailedCacheRemovalsTests {
  private func key(_ path: String) -> ResourceKey {
    ResourceKey(gettingPlainly: "https://api.test/\(path)")
  }

  @Test("An entry counts as removed until something is stored for it, or it is removed")
  func entries() {
    var failed = FailedCacheRemovals()
    #expect(failed.isEmpty && !failed.contains(key("a")))
    failed.insert(key("a"))
    failed.insertAll { $0.hasSuffix("b") }
    #expect(failed.contains(key("a")) && failed.contains(key("b")) && !failed.contains(key("c")))
    failed.remove(key("a"))
    failed.remove(key("b"))
    #expect(!failed.contains(key("a")) && !failed.contains(key("b")))
    failed.insertAll { $0.hasSuffix("b") }
    #expect(failed.contains(key("b")))
    failed.checkInvariants()
    failed.removeAll(where: nil)
    #expect(failed.isEmpty)
    failed.insert(key("a"))
    failed.removeAll { $0.hasSuffix("a") }
    #expect(failed.isEmpty)
  }

  @Test("Where too much has failed, everything counts as removed")
  func limits() {
    var failed = FailedCacheRemovals()
    for number in 0...5000 { failed.insert(key("\(number)")) }
    #expect(failed.contains(key("other")) && failed.contains(key("0")))
    failed.remove(key("0"))
    #expect(!failed.contains(key("0")))
    // Later ones than can be remembered count as removed.
    for number in 0...5000 { failed.remove(key("\(number)")) }
    failed.checkInvariants()
    #expect(failed.contains(key("5000")))
    failed = FailedCacheRemovals()
    failed.checkInvariants()
    for number in 0...300 { failed.insertAll { $0.hasSuffix("/\(number)") } }
    #expect(failed.contains(key("other")))
  }
}
