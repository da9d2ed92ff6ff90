import Foundation
import Freshet

/// The machine's clock, with sleeps that only a cancellation ends.
///
/// The timer of a cancelled sleep stays in Dispatch until its time has come: half a minute after each
/// request, with the default timeout. Where bytes are counted that would blur the result.
struct TimerlessClock: StoreClock {
  private let clock = SystemClock()

  var now: Duration { clock.now }
  var date: Date { clock.date }

  @concurrent
  func sleep(for duration: Duration) async throws {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    continuation.finish()
    try Task.checkCancellation()
  }
}
