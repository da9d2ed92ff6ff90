/// Reads the three forms of an HTTP date, RFC 9110 section 5.6.7, byte by byte.
struct HTTPDateReader {
  private var rest: Substring.UTF8View

  init(_ value: Substring) {
    rest = value.utf8
  }

  /// The fields of the date, or nil where the value is in none of the forms.
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
    if take(", ") {
      fields = readCommaForm(isLong: isLong, currentYear: currentYear)
    } else if isShort && take(" ") {
      fields = readAsctimeForm()
    }
    return rest.isEmpty ? fields : nil
  }

  /// `06 Nov 1994 08:49:37 GMT` after a short weekday, `06-Nov-94 08:49:37 GMT` after a long one.
  private mutating func readCommaForm(isLong: Bool, currentYear: Int) -> HTTPDate.Fields? {
    var fields = HTTPDate.Fields()
    let separator = isLong ? "-" : " "
    guard let day = readNumber(isLong ? 2...2 : 1...2), take(separator), let month = readMonth(),
      take(separator), let year = readNumber(isLong ? 2...2 : 4...4), take(" "),
      let time = readTime(), take(" "), readLetters()?.asciiLowercased == "gmt"
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
    guard let month = readMonth(), take(" "), let day = readNumber(take(" ") ? 1...1 : 2...2),
      take(" "), let time = readTime(), take(" "), let year = readNumber(4...4)
    else { return nil }
    fields.month = month
    fields.day = day
    fields.time = time
    fields.year = year
    return fields
  }

  /// `08:49:37` in seconds; the second may be 60.
  private mutating func readTime() -> Int? {
    guard let hour = readNumber(2...2), hour < 24, take(":"), let minute = readNumber(2...2),
      minute < 60, take(":"), let second = readNumber(2...2), second <= 60
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

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }
}
