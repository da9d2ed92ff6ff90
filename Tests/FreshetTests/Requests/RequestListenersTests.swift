import Testing

@testable import Freshet

@Suite("Listeners of a request")
struct RequestListenersTests {
  @Test("They are empty where nothing was added of any kind")
  func isEmpty() {
    #expect(RequestListeners().isEmpty)
    let additions: [(inout RequestListeners) -> Void] = [
      { _ = $0.append { _ in } }, { $0.progress.append { _ in } }, { $0.waits.append { _ in } },
      { _ = $0.waiters.make() },
    ]
    for add in additions {
      var listeners = RequestListeners()
      add(&listeners)
      #expect(!listeners.isEmpty)
    }
  }
}
