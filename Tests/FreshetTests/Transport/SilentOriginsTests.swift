import Testing

@testable import Freshet

@Suite("Origins that do not respond")
struct SilentOriginsTests {
  var origins = SilentOrigins()
  let start = ContinuousClock.now

  mutating func end(_ origin: String, hasResponse: Bool = false, from begun: Int, to end: Int) {
    origins.noteEnd(
      of: origin, hasResponse: hasResponse, begun: start + .seconds(begun),
      at: start + .seconds(end))
  }

  func oldest(_ origin: String, at time: Duration) -> Int? {
    origins.oldestConnection(to: origin, at: start + time)
  }

  @Test("A connection from before the end of an exchange without a response is not used")
  mutating func silent() {
    end("a", from: 0, to: 30)
    // Seconds are counted down, so that one that was made since then is young enough.
    #expect(oldest("a", at: .seconds(30)) == 1)
    #expect(oldest("a", at: .milliseconds(31_900)) == 1)
    #expect(oldest("a", at: .milliseconds(45_999)) == 15)
    #expect(oldest("b", at: .seconds(30)) == nil)
  }

  @Test("A response makes any connection usable again")
  mutating func response() {
    end("a", from: 0, to: 30)
    end("b", from: 0, to: 30)
    end("a", hasResponse: true, from: 30, to: 31)
    #expect(oldest("a", at: .seconds(31)) == nil)
    #expect(oldest("b", at: .seconds(31)) == 1)
  }

  @Test("What is cancelled soon says nothing of an origin")
  mutating func cancelledSoon() {
    end("a", from: 0, to: 1)
    #expect(oldest("a", at: .seconds(1)) == nil)
    end("a", from: 1, to: 3)
    #expect(oldest("a", at: .seconds(3)) == 1)
  }

  @Test("An origin is forgotten once libcurl uses its idle connections no more")
  mutating func forgotten() {
    end("a", from: 0, to: 30)
    end("b", from: 100, to: 149)
    #expect(oldest("a", at: .seconds(149)) == 119)
    end("b", from: 149, to: 151)
    #expect(oldest("a", at: .seconds(151)) == nil)
    #expect(oldest("b", at: .seconds(151)) == 1)
  }
}
