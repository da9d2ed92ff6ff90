import Foundation
import Testing

@testable import Freshet

@Suite("The page of defaults: what no program can set") struct DefaultTimeoutTests {
  @Test("has the times for which bodies are waited for that are not needed")
  func bodies() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Freshet/Freshet.docc/Defaults.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let wire = TransportConfiguration()
    for (what, timeout) in [
      ("a redirect", wire.redirectBodyTimeout), ("an error", wire.errorBodyTimeout),
    ] {
      let seconds = timeout.components.seconds
      let row = "| the body of \(what) is waited for | \(seconds) second\(seconds == 1 ? "" : "s"),"
      #expect(text.contains(row), "\(row)")
    }
  }
}
