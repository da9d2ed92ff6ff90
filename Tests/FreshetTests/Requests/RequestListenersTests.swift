import Testing

@testable import Freshet

@Suite("Listeners of a request")
struct RequestListenersTests {
  @Test("Hooks are called in the order in which they were added", arguments: 0...4)
  func order(count: Int) {
    var hooks = Hooks<Int>()
    var log: [String] = []
    for number in 0..<count { hooks.append { log.append("\(number): \($0)") } }
    #expect(hooks.isEmpty == (count == 0))
    hooks.call(with: 7)
    #expect(log == (0..<count).map { "\($0): 7" })
  }

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
