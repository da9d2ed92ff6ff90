import Foundation
import Testing

@testable import Freshet

@Suite("Pending changes of the persistent cache")
struct CacheChangeTests {
  private let date = Date(timeIntervalSince1970: 5)

  private func entry(_ tag: String) throws -> CachedEntry {
    let url = try #require(URL(string: "https://api.test/a"))
    return CachedEntry(
      response: HTTPResponse(
        status: 200, headers: ["ETag": tag], body: Data(tag.utf8), url: url),
      timestamp: Date(timeIntervalSince1970: 0))
  }

  private func confirm(_ tag: String, as new: String? = nil) -> CacheChange {
    .confirm(
      CacheChange.Confirmation(
        validators: HTTPValidators(["ETag": tag]), headers: ["ETag": new ?? tag, "X-New": "1"],
        date: date))
  }

  @Test("A confirmation changes the entry of its response, and removes that of another one")
  func stored() throws {
    guard case .store(let entry) = confirm("1").following(.store(try entry("1"))) else {
      Issue.record("The entry was not stored")
      return
    }
    #expect(entry.response.headers["X-New"] == "1" && entry.timestamp == date)
    #expect(entry.response.body == Data("1".utf8))
    guard case .remove = confirm("1").following(.store(try self.entry("2"))) else {
      Issue.record("The entry of another response was kept")
      return
    }
    let other = CacheChange.Confirmation(
      validators: HTTPValidators(["ETag": "2"]), headers: [:], date: date)
    #expect(entry.confirmed(by: other) == nil)
    guard case .remove = confirm("\u{E9}").following(.store(try self.entry("e\u{301}"))) else {
      Issue.record("The entry of a response with equal text in other bytes was kept")
      return
    }
  }

  @Test("Two confirmations are one of the entry that the first is about, or a removal")
  func confirmedTwice() {
    guard
      case .confirm(let confirmation) = confirm("2").following(confirm("1", as: "2"))
    else {
      Issue.record("The second confirmation is about what the first made of the entry")
      return
    }
    #expect(confirmation.validators == HTTPValidators(["ETag": "1"]))
    #expect(confirmation.headers["ETag"] == "2")
    guard case .remove = confirm("1").following(confirm("2")) else {
      Issue.record("They are about two responses, of which one at most has the entry")
      return
    }
  }

  @Test("After a removal there is nothing to confirm")
  func removed() {
    guard case .remove = confirm("1").following(.remove) else {
      Issue.record("The removal was lost")
      return
    }
  }
}
