import Testing

@testable import Freshet

@Suite("Waiters", .standardTimeLimit)
struct WaitersTests {
  @Test("Cancelled waits leave nothing, and the others end together")
  func cancelledWaits() async {
    var waiters = Waiters()
    var waiting: [Task<Void, Never>] = []
    for number in 0..<2_000 {
      let wait = waiters.make()
      waiters.checkInvariants()
      let task = Task { for await _ in wait {} }
      if number.isMultiple(of: 100) {
        waiting.append(task)
      } else {
        task.cancel()
        await task.value
      }
    }
    #expect(waiters.count < 100)
    let isAwaited = waiters.hasWaiting()
    #expect(isAwaited)
    waiters.checkInvariants()
    waiters.resume()
    waiters.checkInvariants()
    for task in waiting { await task.value }
    #expect(waiters.isEmpty)
  }
}
