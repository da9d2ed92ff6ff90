import Foundation
import Testing

@testable import Freshet

@Suite("Retry-After")
struct RetryAfterTests {
  private let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

  @Test(
    "Seconds and dates become a delay that is never negative nor endless",
    arguments: [
      ("120", 120), ("\t42 ", 42), ("00120", 120), ("0", 0), ("120, 240", 120),
      ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
      ("99999999999999999999999", 31_536_000), ("9223372036854775807", 31_536_000),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 31_536_000),
      ("Sun, 06 Nov 1994 08:50:37 GMT, Sun, 06 Nov 1994 08:50:37 GMT", 60),
    ])
  func delays(value: String, seconds: Int) {
    #expect(RetryAfter.delay(value, now: now) == .seconds(seconds))
  }

  @Test(
    "A clock with any date gets a delay", arguments: [-1e300, -1e30, 1e30, 1e300, .infinity, .nan])
  func anyClock(seconds: Double) throws {
    let now = Date(timeIntervalSince1970: seconds)
    let date = "Sun, 06 Nov 1994 08:50:37 GMT"
    #expect(RetryAfter.delay(date, now: now) == (seconds < 0 ? RetryAfter.maximum : .zero))
    let url = try #require(URL(string: "https://a.example"))
    for reset in [date, "1732000018446", "1732000018"] {
      let response = HTTPResponse(status: 429, headers: ["X-RateLimit-Reset": reset], url: url)
      let delay = try #require(RetryAfter.delay(of: response, now: now))
      #expect(delay == (seconds < 0 ? RetryAfter.maximum : .zero), "\(reset)")
    }
  }

  @Test(
    "What is neither has no delay",
    arguments: ["", " ", "-1", "+1", "1.0", "1e3", "0x10", "12abc", "²", "١٢٠", "soon"])
  func othersAreRefused(value: String) {
    #expect(RetryAfter.delay(value, now: now) == nil)
  }
}
