import Freshet
import Testing

@Suite("The clock of the machine")
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
}
