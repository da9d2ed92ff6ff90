import Testing

@testable import Freshet

@Suite("Splices in the order in which they were made")
struct SpliceLogTests {
  private static func splice(_ offset: Int) -> PagedChange<Int>.Splice {
    PagedChange.Splice(at: offset, removing: [], inserting: [offset])
  }

  @Test("A log begins empty, and counts what it has")
  func counts() {
    var log = SpliceLog<Int>()
    #expect(log.isEmpty && log.count == 0 && log.inOrder.isEmpty)
    log.checkInvariants()
    log.append(Self.splice(1))
    log.checkInvariants()
    log.append(Self.splice(0))
    log.checkInvariants()
    #expect(!log.isEmpty && log.count == 2)
    #expect(log.inOrder.map(\.offset) == [1, 0])
  }

  @Test("One log is appended to another, also where one of them is empty")
  func appends() {
    var log = SpliceLog<Int>()
    for splices in [[], [Self.splice(3), Self.splice(4)], [], [Self.splice(5)]] {
      #expect(log.isEmpty == (log.count == 0))
      log.append(SpliceLog(splices))
      log.checkInvariants()
    }
    #expect(log.count == 3)
    #expect(log.inOrder.map(\.offset) == [3, 4, 5])
  }
}
