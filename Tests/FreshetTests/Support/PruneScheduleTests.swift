import Testing

@testable import Freshet

@Suite("When a collection is pruned")
struct PruneScheduleTests {
  @Test("Looking costs a constant for each element, however many stay", arguments: [1, 2, 10])
  func cost(each: Int) {
    var schedule = PruneSchedule()
    var (count, stays, looks) = (0, 0, 0)
    for number in 1...10_000 {
      if schedule.isDue(at: count) {
        looks += count
        count = stays
        schedule.pruned(leaving: count)
      }
      count += 1
      if number.isMultiple(of: each) { stays += 1 }
      schedule.checkInvariants(at: count)
      #expect(count <= max(16, 2 * stays + 1))
    }
    #expect(looks <= 3 * 10_000)
  }

  @Test("Removing what has not expired brings the next look forward, and never puts it off")
  func shrunk() {
    var schedule = PruneSchedule()
    schedule.pruned(leaving: 100)
    schedule.shrunk(to: 150)
    #expect(!schedule.isDue(at: 199) && schedule.isDue(at: 200))
    schedule.shrunk(to: 20)
    #expect(!schedule.isDue(at: 39) && schedule.isDue(at: 40))
    schedule.shrunk(to: 0)
    #expect(!schedule.isDue(at: 15) && schedule.isDue(at: 16))
  }

  @Test("A few are never looked at")
  func few() {
    var schedule = PruneSchedule()
    #expect(!schedule.isDue(at: 15) && schedule.isDue(at: 16))
    schedule.pruned(leaving: 0)
    #expect(!schedule.isDue(at: 15) && schedule.isDue(at: 16))
    schedule.pruned(leaving: 12)
    #expect(!schedule.isDue(at: 23) && schedule.isDue(at: 24))
  }
}
