import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Progress while the server is asked for changes", .standardTimeLimit)
@MainActor
struct ProgressTests {
  private let clock = ManualClock()
  private let demo = DemoAPI(itemCount: 30, perPage: 10)

  /// Walks a list of three pages, of which each takes two seconds.
  private func walk(_ arguments: String...) async throws -> Session {
    let session = Session()
    guard case .walk(let address, let options) = try Command(parsing: [address] + arguments) else {
      throw UsageError("a walk was meant")
    }
    let stub = StubTransport { [clock, demo] request in
      clock.advance(by: .seconds(2))
      return demo.respond(to: request)
    }
    let walk = Walk(
      address, options, console: session.console, interrupts: session.interrupts, transport: stub,
      clock: clock)
    #expect(await walk.run() == .complete)
    return session
  }

  /// The ends of the lines with the number of pages that are up to date.
  private func upToDate(_ session: Session) -> [String] {
    session.errorLines.filter { $0.hasSuffix(" up to date") }.compactMap {
      $0.split(separator: ", ").last.map(String.init)
    }
  }

  @Test("A refresh in which nothing changes shows how many pages are confirmed")
  func refresh() async throws {
    let session = try await walk("--refresh=1")
    let expected = ["1 page up to date", "2 pages up to date", "3 pages up to date"]
    #expect(upToDate(session) == expected, "\(session.errorText)")
    #expect(try await upToDate(walk("--refresh=1", "--quiet")) == [])
  }

  @Test("So does a walk whose pages come from the cache")
  func cache() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pagewalk-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path(percentEncoded: false)
    #expect(try await upToDate(walk("--cache", path)) == [])
    let session = try await walk("--cache", path)
    let expected = ["1 page up to date", "2 pages up to date", "3 pages up to date"]
    #expect(upToDate(session) == expected, "\(session.errorText)")
  }
}
