import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A manual clock", .standardTimeLimit)
struct ManualClockTests {
  let clock = ManualClock()

  @Test("starts at zero, on a fixed date")
  func start() {
    #expect(clock.now == .zero)
    #expect(clock.date == Date(timeIntervalSince1970: 1_767_225_600))
  }

  @Test("moves time and date together when it is advanced")
  func advance() {
    clock.advance(by: .milliseconds(1500))
    #expect(clock.now == .milliseconds(1500))
    #expect(clock.date.timeIntervalSince(ManualClock.startDate) == 1.5)
  }

  @Test("moves only the date when the date jumps, also back")
  func jump() {
    clock.jump(dateBy: .seconds(-3600))
    #expect(clock.now == .zero)
    #expect(clock.date.timeIntervalSince(ManualClock.startDate) == -3600)
  }

  @Test("wakes exactly the sleeping tasks whose time has come")
  func wakes() async throws {
    let early = Task { try await clock.sleep(for: .seconds(1)) }
    let late = Task { try await clock.sleep(for: .seconds(3)) }
    await clock.timers(atLeast: 2)

    clock.advance(by: .seconds(1))
    try await early.value
    #expect(clock.timers.count == 1)

    clock.advance(by: .seconds(2))
    try await late.value
    #expect(clock.timers.isEmpty)
  }

  @Test("resumes sleeping tasks in the order of their deadlines, on one actor")
  @MainActor func order() async throws {
    var woken: [Int] = []
    var tasks: [Task<Void, any Error>] = []
    for seconds in [3, 1, 2] {
      tasks.append(
        Task {
          try await clock.sleep(for: .seconds(seconds))
          woken.append(seconds)
        })
    }
    await clock.timers(atLeast: 3)
    for (index, task) in [(1, tasks[1]), (2, tasks[2]), (3, tasks[0])] {
      clock.advance(by: .seconds(1))
      try await task.value
      #expect(woken == Array(1...index))
    }
  }

  @Test("does not wait for nothing", arguments: [Duration.zero, .seconds(-1)])
  func noWait(duration: Duration) async throws {
    try await clock.sleep(for: duration)
    #expect(clock.timers.isEmpty)
  }

  @Test("throws at once when a sleeping task is cancelled, and forgets it")
  func cancelled() async {
    let sleep = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.timers(atLeast: 1)
    sleep.cancel()
    await #expect(throws: CancellationError.self) { try await sleep.value }
    #expect(clock.timers.isEmpty)
  }

  @Test("does not let a cancelled task begin to sleep")
  func cancelledBefore() async {
    let sleep = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await sleep.value }
    #expect(clock.timers.isEmpty)
  }

  @Test("stops waiting for sleeping tasks when the waiting task is cancelled")
  func waiterCancelled() async {
    let waiter = Task { await clock.timers(atLeast: 1) }
    waiter.cancel()
    await waiter.value
  }

  @Test("survives sleeps, cancellations and steps from many tasks at once")
  func crowd() async {
    let woken = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<200 {
        group.addTask {
          let sleep = Task { try await clock.sleep(for: .seconds(index % 7 + 1)) }
          if index.isMultiple(of: 3) { sleep.cancel() }
          return (try? await sleep.value) != nil
        }
      }
      group.addTask {
        await clock.timers(atLeast: 1)
        return false
      }
      await clock.timers(atLeast: 133)
      clock.advance(by: .seconds(7))
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(woken == 133)
    #expect(clock.timers.isEmpty)
  }
}
