import FreshetTesting
import Testing

@testable import Freshet

@Suite("The queue of deliveries")
struct EventQueueTests {
  private final class Work: PostedWork {
    let perform: () -> Void
    init(_ perform: @escaping () -> Void) { self.perform = perform }
    func performPosted() { perform() }
  }

  /// Deliveries that post others at random, of all kinds.
  private final class Trial {
    let queue = EventQueue()
    var random: SeededGenerator
    /// The number of each delivery, in the order in which they were posted, and in which they were made.
    var posted = 0
    var log: [Int] = []
    /// The deliveries that are still to be posted: a chain may be long.
    var left: Int
    var depth = 0

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      left = random.pick([10, 100, 5_000])
    }

    func post() {
      guard left > 0 else { return }
      left -= 1
      let number = posted
      posted += 1
      switch Int.random(in: 0..<3, using: &random) {
      case 0: queue.post { self.deliver(number) }
      case 1: queue.post(Work { self.deliver(number) })
      default:
        // Its end is its delivery.
        if queue.isIdle { return queue.post { self.deliver(number) } }
        queue.hold(DeinitProbe { self.deliver(number) })
      }
    }

    func deliver(_ number: Int) {
      queue.checkInvariants()
      #expect(depth == 0 && !queue.isIdle)
      depth += 1
      log.append(number)
      let count = random.pick([0, 1, 1, 2])
      for _ in 0..<count { post() }
      queue.checkInvariants()
      depth -= 1
    }
  }

  @Test(
    "Whatever a delivery posts is delivered after it, in order",
    arguments: 1...trialCount(30) as ClosedRange<UInt64>)
  func order(seed: UInt64) {
    let trial = Trial(seed: seed)
    while trial.left > 0 {
      if trial.random.chance(0.3) {
        trial.queue.together {
          for _ in 0..<3 { trial.post() }
          trial.queue.checkInvariants()
          #expect(trial.log.count < trial.posted)
        }
      } else {
        trial.post()
      }
      trial.queue.checkInvariants()
      #expect(trial.queue.isIdle && trial.log == Array(0..<trial.posted), "seed \(seed)")
    }
  }
}
