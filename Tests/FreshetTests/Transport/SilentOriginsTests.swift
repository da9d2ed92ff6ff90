import Testing

@testable import Freshet

@Suite("Origins that do not respond")
struct SilentOriginsTests {
  var origins = SilentOrigins()
  let start = ContinuousClock.now

  mutating func end(
    _ origin: String, hasResponse: Bool = false, from begun: Int, to end: Int, oldest: Int? = nil
  ) {
    origins.noteEnd(
      of: origin, hasResponse: hasResponse, begun: start + .seconds(begun),
      at: start + .seconds(end), oldest: oldest.map { start + .seconds($0) })
  }

  func connection(
    _ origin: String, at time: Duration, oldest: Int? = nil
  ) -> ConnectionChoice {
    origins.connection(
      to: origin, at: start + time, oldest: oldest.map { start + .seconds($0) })
  }

  @Test("A connection from before the end of an exchange without a response is not used")
  mutating func silent() {
    end("a", from: 0, to: 30)
    // Seconds are counted down, so that one that was made since then is young enough.
    #expect(connection("a", at: .seconds(30)) == .notOlder(than: 1))
    #expect(connection("a", at: .milliseconds(31_900)) == .notOlder(than: 1))
    #expect(connection("a", at: .milliseconds(45_999)) == .notOlder(than: 15))
    #expect(connection("b", at: .seconds(30)) == .any)
  }

  @Test("Each has its own connection while an earlier exchange may have the silent one")
  mutating func held() {
    end("a", from: 0, to: 30)
    #expect(connection("a", at: .seconds(31), oldest: 20) == .own)
    #expect(connection("a", at: .seconds(31), oldest: 30) == .notOlder(than: 1))
    end("a", hasResponse: true, from: 31, to: 32, oldest: 20)
    #expect(connection("a", at: .seconds(32), oldest: 20) == .own)
    end("a", from: 20, to: 50)
    end("a", hasResponse: true, from: 50, to: 51)
    #expect(connection("a", at: .seconds(51)) == .any)
  }

  @Test("A response to a later exchange makes any connection usable again")
  mutating func response() {
    end("a", from: 0, to: 30)
    end("b", from: 0, to: 30)
    end("a", hasResponse: true, from: 30, to: 31)
    #expect(connection("a", at: .seconds(31)) == .any)
    #expect(connection("b", at: .seconds(31)) == .notOlder(than: 1))
    // Its head may have come before the silence.
    end("b", hasResponse: true, from: 1, to: 32)
    #expect(connection("b", at: .seconds(32)) == .notOlder(than: 2))
  }

  @Test("What is cancelled soon says nothing of an origin")
  mutating func cancelledSoon() {
    end("a", from: 0, to: 1)
    #expect(connection("a", at: .seconds(1)) == .any)
    end("a", from: 1, to: 3)
    #expect(connection("a", at: .seconds(3)) == .notOlder(than: 1))
  }

  @Test("An origin is forgotten once libcurl uses its idle connections no more")
  mutating func forgotten() {
    end("a", from: 0, to: 30)
    end("b", from: 100, to: 149)
    #expect(connection("a", at: .seconds(149)) == .notOlder(than: 119))
    end("b", from: 149, to: 151)
    #expect(connection("a", at: .seconds(151)) == .any)
    #expect(connection("b", at: .seconds(151)) == .notOlder(than: 1))
  }
}
