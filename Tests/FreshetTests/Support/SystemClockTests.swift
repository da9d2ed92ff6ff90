import Freshet
import Testing

@Suite("The clock of the machine", .standardTimeLimit)
struct SystemClockTests {
  @Test("Its time passes as that of the machine's continuous clock, and never decreases")
  func time() {
    let (clock, machine) = (SystemClock(), ContinuousClock())
    let outerStart = machine.now
    let start = clock.now
    let innerStart = machine.now
    var last = start
    for _ in 0..<1_000 {
      let now = clock.now
      #expect(now >= last)
      last = now
    }
    let innerEnd = machine.now
    let end = clock.now
    let outerEnd = machine.now
    #expect(end - start >= innerEnd - innerStart)
    #expect(end - start <= outerEnd - outerStart)
  }

  @Test("A time that the system cannot express is waited for, until that is cancelled")
  func longest() async {
    for duration in [Duration.seconds(Int64.max), .seconds(Int64.max) * 10] {
      let sleep = Task { try await SystemClock().sleep(for: duration) }
      for _ in 0..<10 { await Task.yield() }
      sleep.cancel()
      await #expect(throws: CancellationError.self) { try await sleep.value }
    }
  }
}
