import Testing

@testable import Freshet

@Suite("Where the walk along a chain is")
struct PageWalkTests {
  @Test("Nothing is confirmed before a walk has begun, or while it continues")
  func notConfirmed() {
    var walk = PageWalk()
    #expect(!walk.isStarted)
    #expect(!walk.isConfirmed(at: .zero, configuration: 0))
    walk.start(configuration: 3)
    #expect(walk.isStarted && walk.isWalking)
    #expect(!walk.isConfirmed(at: .zero, configuration: 3))
  }

  @Test("It is confirmed until the first of the slots expires")
  func confirmedUntilExpiry() {
    var walk = walked(freshUntil: [30, 20, 40])
    #expect(walk.isConfirmed(at: .seconds(19), configuration: 0))
    #expect(!walk.isConfirmed(at: .seconds(20), configuration: 0))
    _ = walk.restartIfNeeded(at: .seconds(19), configuration: 0)
    #expect(walk.position == 3)
    _ = walk.restartIfNeeded(at: .seconds(20), configuration: 0)
    #expect(walk.position == 0)
  }

  @Test("Another configuration takes it back to the first slot")
  func configurationChanges() {
    var walk = walked(freshUntil: [30])
    #expect(!walk.isConfirmed(at: .zero, configuration: 1))
    let restarts = walk.restartIfNeeded(at: .zero, configuration: 1)
    #expect(restarts)
    #expect(walk.position == 0)
  }

  @Test("A slot that another user loaded shortens the time, if the walk has passed it")
  func limits() {
    var walk = walked(freshUntil: [30, 30])
    walk.limit(freshUntil: .seconds(1), of: 2)
    #expect(walk.isConfirmed(at: .seconds(29), configuration: 0))
    walk.limit(freshUntil: .seconds(10), of: 1)
    #expect(!walk.isConfirmed(at: .seconds(10), configuration: 0))
  }

  @Test(
    "What loads before a refresh brought is stale once that has confirmed a page, completed or not")
  func refreshes() {
    var walk = walked(freshUntil: [30, 30])
    walk.refresh(.all, since: 7, configuration: 0)
    #expect(walk.position == 0 && walk.isRefresh && walk.since == 7)
    var failed = walk
    failed.stop(.resting)
    #expect(failed.since == 0)
    walk.proceed(freshUntil: .seconds(60))
    #expect(walk.since == 7)
    var stopped = walk
    walk.stop(.finished)
    #expect(!walk.isRefresh && walk.since == 7)
    stopped.stop(.resting)
    #expect(!stopped.isRefresh && !stopped.isWalking && stopped.since == 7)
    #expect(!stopped.isConfirmed(at: .zero, configuration: 0))
    stopped.wake()
    #expect(stopped.isWalking)
  }

  @Test("A retry ignores earlier failures until the walk ends, and visits invalidated slots first")
  func retries() {
    var walk = walked(freshUntil: [30, 30])
    walk.retryFailures(before: 9)
    #expect(walk.failuresSince == 0, "nothing is walked")
    walk.stop(.failed)
    walk.revisit(1)
    walk.retry(2)
    walk.retryFailures(before: 9)
    for position in 1...2 {
      #expect(walk.position == position && walk.failuresSince == 9 && walk.since == 0)
      walk.proceed(freshUntil: .seconds(30))
    }
    var failed = walk
    failed.stop(.failed)
    walk.stop(.finished)
    #expect(walk.failuresSince == 0 && failed.failuresSince == 0)
  }

  @Test("A cancelled walk is resumed by a demand, not by events")
  func halts() {
    var walk = walked(freshUntil: [30])
    walk.stop(.halted)
    #expect(walk.isStarted && !walk.isWalking)
    walk.start(configuration: 0)
    #expect(walk.isWalking && walk.position == 1)
  }

  @Test("Looking again never takes it forward")
  func revisits() {
    var walk = walked(freshUntil: [30, 30])
    walk.revisit(5)
    #expect(walk.position == 2)
    #expect(!walk.isConfirmed(at: .zero, configuration: 0))
    walk.revisit(0)
    #expect(walk.position == 0)
  }

  /// A walk that has passed slots which are fresh until these seconds, and has finished.
  private func walked(freshUntil: [Int]) -> PageWalk {
    var walk = PageWalk()
    walk.start(configuration: 0)
    for seconds in freshUntil { walk.proceed(freshUntil: .seconds(seconds)) }
    walk.stop(.finished)
    return walk
  }
}
