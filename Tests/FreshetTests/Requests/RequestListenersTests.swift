import Testing

@testable import Freshet

@Suite("Listeners of a request")
struct RequestListenersTests {
  @Test("They are empty where nothing was added of any kind")
  func isEmpty() {
    #expect(RequestListeners().isEmpty)
    let additions: [(inout RequestListeners) -> Void] = [
      { _ = $0.append(end: { _ in }) }, { $0.append(unawaitedEnd: {}, of: Owner()) },
      { $0.append(progress: { _ in }) }, { $0.append(wait: { _ in }) }, { _ = $0.makeWaiter() },
    ]
    for add in additions {
      var listeners = RequestListeners()
      add(&listeners)
      listeners.checkInvariants()
      #expect(!listeners.isEmpty)
    }
  }
}
