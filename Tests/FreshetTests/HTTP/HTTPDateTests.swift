import Foundation
import Testing

@testable import Freshet

@Suite("HTTP dates")
struct HTTPDateTests {
  private let now = Date(timeIntervalSince1970: 1_767_225_600)  // 1 January 2026

  @Test(
    "The three forms mean the same second",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      " sun, 06 NOV 1994 08:49:37 gmt\t", "Sun, 6 Nov 1994 08:49:37 GMT",
      "Mon, 06 Nov 1994 08:49:37 GMT",
    ])
  func formsAgree(value: String) {
    #expect(HTTPDate.parse(value, now: now) == Date(timeIntervalSince1970: 784_111_777))
  }

  @Test(
    "What is no HTTP date is refused",
    arguments: [
      "", "0", "GMT", "Sun", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37",
      "Sun, 06 Nov 94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 8:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 23:60:00 GMT",
      "Sun, 06 Nov 1994 23:00:61 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Fri, 30 Feb 2024 00:00:00 GMT",
      "Thu, 29 Feb 2100 00:00:00 GMT",
      "Sun, 06 Foo 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 GMTx",
      "Sun, 06  Nov 1994 08:49:37 GMT", "Sonntag, 06-Nov-94 08:49:37 GMT",
      "Sun Nov 6 08:49:37 1994",
      "Sunday Nov  6 08:49:37 1994", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 19940 08:49:37 GMT",
    ])
  func othersAreRefused(value: String) {
    #expect(HTTPDate.parse(value, now: now) == nil)
  }

  @Test(
    "A year of two digits is at most 50 ahead",
    arguments: [(26, 2026), (76, 2076), (77, 1977), (99, 1999), (0, 2000)])
  func twoDigitYears(digits: Int, year: Int) {
    let text = digits < 10 ? "0\(digits)" : "\(digits)"
    let expected = HTTPDate.parse("Sun, 01 Jan \(year) 00:00:00 GMT", now: now)
    #expect(expected != nil)
    #expect(HTTPDate.parse("Sunday, 01-Jan-\(text) 00:00:00 GMT", now: now) == expected)
  }

  @Test("A leap second is the second after it")
  func leapSecond() {
    #expect(
      HTTPDate.parse("Sat, 31 Dec 2016 23:59:60 GMT", now: now)
        == HTTPDate.parse("Sun, 01 Jan 2017 00:00:00 GMT", now: now))
  }

  @Test("The preferred form is printed, for years of four digits")
  func printing() {
    #expect(
      HTTPDate.string(from: Date(timeIntervalSince1970: 784_111_777.9))
        == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(
      HTTPDate.string(from: Date(timeIntervalSince1970: -0.5)) == "Wed, 31 Dec 1969 23:59:59 GMT")
    #expect(
      HTTPDate.string(from: Date(timeIntervalSince1970: 253_402_300_799))
        == "Fri, 31 Dec 9999 23:59:59 GMT")
    #expect(HTTPDate.string(from: Date(timeIntervalSince1970: 253_402_300_800)) == nil)
    #expect(HTTPDate.string(from: Date(timeIntervalSince1970: .infinity)) == nil)
    #expect(HTTPDate.string(from: Date(timeIntervalSince1970: .nan)) == nil)
    #expect(HTTPDate.string(from: Date(timeIntervalSince1970: 1e300)) == nil)
  }

  @Test(
    "Random dates agree with Foundation's calendar and read back", arguments: [1, 2, 3] as [UInt64])
  func randomDatesAgree(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for round in 0..<2_000 {
      // Foundation's calendar turns Julian before 1582.
      let date = Date(
        timeIntervalSince1970: Double(
          Int.random(in: -11_000_000_000...253_402_300_799, using: &random)))
      let text = try #require(HTTPDate.string(from: date))
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
      let numbers = text.split { " :,".contains($0) }.compactMap { Int($0) }
      #expect(
        numbers == [parts.day, parts.year, parts.hour, parts.minute, parts.second],
        "seed \(seed) round \(round): \(text)")
      #expect(
        text.hasPrefix(HTTPDate.weekdays[try #require(parts.weekday) - 1].prefix(3)),
        "seed \(seed): \(text)")
      #expect(
        text.contains(HTTPDate.months[try #require(parts.month) - 1]), "seed \(seed): \(text)")
      #expect(HTTPDate.parse(text, now: now) == date, "seed \(seed) round \(round): \(text)")
    }
  }
}
