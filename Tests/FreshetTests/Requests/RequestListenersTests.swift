import Testing

@testable import Freshet

@Suite("Listeners of a request")
struct RequestListenersTests {
  @Test("Only hooks of the end and waiting tasks wait for the end")
  func waitsForEnd() {
    var listeners = RequestListeners()
    listeners.progress.append { _ in }
    listeners.waits.append { _ in }
    #expect(!listeners.waitsForEnd)
    var waiting = listeners
    _ = waiting.waiters.make()
    #expect(waiting.waitsForEnd)
    listeners.ends.append { _ in }
    #expect(listeners.waitsForEnd)
  }
}
