import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("The demo on a terminal", .standardTimeLimit)
@MainActor
struct StoryTests {
  private func run(_ arguments: String..., output: Bool = true) async -> (
    Session, pagewalk.ExitStatus
  ) {
    let session = Session(isTerminal: true)
    session.isOutputTerminal = output
    let status = await session.run(arguments, transport: SystemTransport())
    return (session, status)
  }

  @Test("It is a story of a handful of lines, with a progress bar and three rows")
  func story() async {
    let (session, status) = await run("--summary")
    #expect(status == .complete)
    #expect(session.outputText.isEmpty)
    let lines = session.errorText.split(separator: "\n").map { line in
      line.split(separator: "\u{1B}[K").last.map(String.init) ?? ""
    }
    #expect((8...16).contains(lines.count), "\(lines)")
    #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("{") }, "\(lines)")
    #expect(
      lines.contains("  [" + String(repeating: "#", count: 30) + "] 500 of 500 items, 10 pages"))
    let rows = lines.filter { $0.contains(" m, ") }
    #expect(rows.count == 4)
    #expect(rows.map { $0.split(separator: " ").first } == ["1", "251", "500", "251"])
    #expect(lines.contains { $0.contains("9 of 10 pages unchanged") })
    #expect(session.summary?["notModified"]?.int == 9)
    #expect(!session.errorText.contains("newData"))
  }

  @Test("The bar grows while the pages come")
  func bar() async {
    let (session, _) = await run()
    #expect(
      session.errorText.contains("[###...........................] 50 of 500 items, 1 page\r"))
    #expect(session.errorText.contains("[###############...............] 250 of 500 items"))
  }

  @Test("A limit is the end of the bar")
  func limit() async {
    let (session, status) = await run("--limit=60")
    #expect(status == .complete)
    #expect(session.errorText.contains("60 of 60 items, 2 pages"))
  }

  @Test("Items are printed as ever where standard output is piped, or events are wanted, or quiet")
  func piped() async {
    let (piped, _) = await run(output: false)
    #expect(piped.lines.count == 500 && piped.errorText.contains("newData(network)"))
    let (events, _) = await run("--events")
    #expect(events.lines.count == 500 && events.errorText.contains("newData(network)"))
    let (quiet, _) = await run("--quiet")
    #expect(quiet.lines.count == 500)
  }
}
