import Foundation

/// The dates of HTTP, RFC 9110 section 5.6.7: whole seconds in GMT.
///
/// Read and printed with integer arithmetic: a `DateFormatter` depends on locale and time zone data,
/// accepts what is not an HTTP date, and costs a thousand times as much.
package enum HTTPDate {
  /// The date that a field value means, or nil if it is not a date.
  ///
  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` and the obsolete `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994`. Names may be in any case, the day of the preferred form may have one
  /// digit; the name of the weekday need not fit the date. A leap second is the second after it.
  ///
  /// - Parameter now: what a year of two digits is relative to: one that seems to be more than 50
  ///   years ahead is in the past.
  package static func parse(_ value: String, now: Date) -> Date? {
    var reader = HTTPDateReader(value.trimmingHTTPSpace)
    guard
      let fields = reader.readFields(currentYear: civilDate(ofSecond: seconds(of: now) ?? 0).year),
      let second = second(of: fields)
    else { return nil }
    return Date(timeIntervalSince1970: Double(second))
  }

  /// The preferred form of a date, fractions of the second cut off; nil outside the years 0 to 9999,
  /// which have no form.
  package static func string(from date: Date) -> String? {
    guard let second = seconds(of: date) else { return nil }
    let (year, month, day) = civilDate(ofSecond: second)
    guard (0...9999).contains(year) else { return nil }
    let (days, time) = second.quotientAndRemainder(flooringBy: 86_400)
    let weekday = (days + 4).quotientAndRemainder(flooringBy: 7).remainder  // day 0 was a Thursday
    return
      "\(weekdays[weekday].prefix(3)), \(digits(day, 2)) \(months[month - 1]) \(digits(year, 4)) "
      + "\(digits(time / 3600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2)) GMT"
  }

  static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The parts of a written date; hour, minute and second are in range, the day may not be.
  struct Fields {
    var year = 0
    var month = 0
    var day = 0
    var time = 0
  }
}

extension HTTPDate {
  private static func seconds(of date: Date) -> Int? {
    Int(exactly: date.timeIntervalSince1970.rounded(.down))
  }

  /// The second since 1970 of these fields, or nil if the month has no such day.
  private static func second(of fields: Fields) -> Int? {
    let day = day(year: fields.year, month: fields.month, day: fields.day)
    let (_, month, dayOfMonth) = civilDate(ofSecond: day * 86_400)
    guard (month, dayOfMonth) == (fields.month, fields.day) else { return nil }
    return day * 86_400 + fields.time
  }

  // Days are counted in eras of 400 years that begin on 1 March of a year that 400 divides, so that
  // a leap day is the last of its year: Howard Hinnant, "chrono-compatible low-level date algorithms".

  private static func day(year: Int, month: Int, day: Int) -> Int {
    let (era, yearOfEra) = (month > 2 ? year : year - 1).quotientAndRemainder(flooringBy: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civilDate(ofSecond second: Int) -> (year: Int, month: Int, day: Int) {
    let day = second.quotientAndRemainder(flooringBy: 86_400).quotient + 719_468
    let (era, dayOfEra) = day.quotientAndRemainder(flooringBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func digits(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

extension Int {
  /// Division that rounds down, so that the remainder of a positive divisor is never negative.
  fileprivate func quotientAndRemainder(flooringBy divisor: Int) -> (quotient: Int, remainder: Int)
  {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// Reads the three forms of an HTTP date, RFC 9110 section 5.6.7, byte by byte.
private struct HTTPDateReader {
  private var rest: Substring.UTF8View

  init(_ value: Substring) {
    rest = value.utf8
  }

  /// The fields of the date, or nil if the value is in none of the forms.
  ///
  /// - Parameter currentYear: what a year of two digits is relative to.
  mutating func readFields(currentYear: Int) -> HTTPDate.Fields? {
    guard let weekday = readLetters() else { return nil }
    let isLong = HTTPDate.weekdays.contains { HTTPHeaders.isSameName($0, weekday) }
    let isShort = HTTPDate.weekdays.contains {
      HTTPHeaders.isSameName(String($0.prefix(3)), weekday)
    }
    guard isLong || isShort else { return nil }

    var fields: HTTPDate.Fields?
    if consume(", ") {
      fields = readCommaForm(isLong: isLong, currentYear: currentYear)
    } else if isShort && consume(" ") {
      fields = readAsctimeForm()
    }
    return rest.isEmpty ? fields : nil
  }

  /// `06 Nov 1994 08:49:37 GMT` after a short weekday, `06-Nov-94 08:49:37 GMT` after a long one.
  private mutating func readCommaForm(isLong: Bool, currentYear: Int) -> HTTPDate.Fields? {
    var fields = HTTPDate.Fields()
    let separator = isLong ? "-" : " "
    guard let day = readNumber(isLong ? 2...2 : 1...2), consume(separator), let month = readMonth(),
      consume(separator), let year = readNumber(isLong ? 2...2 : 4...4), consume(" "),
      let time = readTime(), consume(" "), readLetters()?.asciiLowercased == "gmt"
    else { return nil }
    fields.day = day
    fields.month = month
    fields.year = isLong ? HTTPDateReader.year(year, near: currentYear) : year
    fields.time = time
    return fields
  }

  /// `Nov  6 08:49:37 1994`.
  private mutating func readAsctimeForm() -> HTTPDate.Fields? {
    var fields = HTTPDate.Fields()
    guard let month = readMonth(), consume(" "), let day = readNumber(consume(" ") ? 1...1 : 2...2),
      consume(" "), let time = readTime(), consume(" "), let year = readNumber(4...4)
    else { return nil }
    fields.month = month
    fields.day = day
    fields.time = time
    fields.year = year
    return fields
  }

  /// `08:49:37` in seconds; the second may be 60.
  private mutating func readTime() -> Int? {
    guard let hour = readNumber(2...2), hour < 24, consume(":"), let minute = readNumber(2...2),
      minute < 60, consume(":"), let second = readNumber(2...2), second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private mutating func readMonth() -> Int? {
    guard let name = readLetters() else { return nil }
    return HTTPDate.months.firstIndex { HTTPHeaders.isSameName($0, name) }.map { $0 + 1 }
  }

  /// The year with those last two digits that is at most 50 ahead.
  private static func year(_ twoDigits: Int, near currentYear: Int) -> Int {
    let year = currentYear - currentYear % 100 + twoDigits
    return year > currentYear + 50 ? year - 100 : year
  }
}

extension HTTPDateReader {
  /// A word; no name in a date is longer than nine letters.
  private mutating func readLetters() -> String? {
    let letters = rest.prefix(10).prefix(while: \.isASCIILetter)
    rest = rest[letters.endIndex...]
    return letters.isEmpty ? nil : String(Substring(letters))
  }

  /// A number with that many digits, and no digit after it.
  private mutating func readNumber(_ count: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix(count.upperBound + 1).prefix(while: \.isASCIIDigit)
    guard count.contains(digits.count) else { return nil }
    rest = rest[digits.endIndex...]
    return Int(Substring(digits))
  }

  private mutating func consume(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }
}

extension HTTPHeaders {
  /// The date in the first line of that name, or nil if there is none or it is not valid.
  func firstDate(_ name: String, now: Date) -> Date? {
    values(for: name).first.flatMap { HTTPDate.parse($0, now: now) }
  }
}
