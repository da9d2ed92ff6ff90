import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("The demo", .standardTimeLimit)
@MainActor
struct DemoTests {
  @Test("It prints all items and shows what a refresh costs")
  func demo() async {
    let session = Session()
    let status = await session.run("--summary", transport: SystemTransport())
    #expect(status == .complete)
    #expect(session.lines.count == 500)
    #expect(session.errorText.contains("page 10 GET http://127.0.0.1:"))
    #expect(session.errorText.contains("newData(network)"))
    #expect(session.errorText.contains("collection itemsChanged(-1 +1 at 250)"))
    #expect(session.errorLines.count { $0.hasSuffix("notModified") } == 9)
    #expect(session.errorLines.count { $0.hasPrefix("~ {\"id\":251,") } == 1)
    #expect(session.errorText.contains("refresh 1: 10 requests, 9 confirmed by 304"))
    #expect(session.summary?["notModified"]?.int == 9)
  }

  @Test("It takes the options of a walk")
  func options() async {
    let session = Session()
    let status = await session.run(
      "--quiet", "--limit=60", "--refresh=2", "--summary",
      transport: SystemTransport())
    #expect(status == .complete)
    #expect(session.lines.count == 60)
    #expect(session.errorLines.count == 3)
    #expect(session.summary?["requests"]?.int == 6)
    #expect(session.summary?["status"]?.string == "limit")
  }
}
