import FreshetTesting
import Testing

@testable import Freshet

@Suite("Events are printed for debugging", .standardTimeLimit)
struct PrintingEventsTests {
  @Test("Each event of a resource and of a list is a line, without secrets")
  @MainActor func lines() async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/rows?key=secret", .json("[1,2]"), .json("[1,3,4]"))
    let list = fixture.service.pages("rows?key=secret", of: Int.self)
    var lines: [String] = []
    list.printEvents { lines.append($0) }
    let token = list.firstPage.printEvents { lines.append($0) }
    list.loadIfNeeded()
    await list.settled()
    token.cancel()
    list.refresh()
    await list.settled()
    let page = "GET https://api.test/rows"
    #expect(
      lines == [
        "list \(page) observerAdded", "\(page) observerAdded", "\(page) requested",
        "list \(page) stateChanged(loading)", "\(page) newData(network)",
        "list \(page) +2 at 0, 2 items", "list \(page) previousStateChanged(ended)",
        "list \(page) stateChanged(ended)", "list \(page) refreshStateChanged(loading)",
        "list \(page) -1 +2 at 1, 3 items", "list \(page) refreshStateChanged(idle)",
      ])
  }
}
