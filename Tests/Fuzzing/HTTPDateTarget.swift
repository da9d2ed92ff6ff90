import Foundation

/// Reads dates relative to any date, and compares with what the C library makes of them.
func fuzzHTTPDate(_ input: FuzzInput) {
  var input = input
  let now = Date(timeIntervalSince1970: Double(bitPattern: input.integer(UInt64.self)))
  checkPrinting(now)
  let text = input.text
  if let delay = RetryAfter.delay(text, now: now) {
    require(delay >= .zero && delay <= RetryAfter.maximum, "a delay of \(delay)")
  }
  let headers: HTTPHeaders = [
    "X-RateLimit-Reset": text, "Date": text, "Age": text, "Expires": text,
  ]
  let response = HTTPResponse(status: 429, headers: headers, url: URL(filePath: "/"))
  if let delay = RetryAfter.delay(of: response, now: now) {
    require(delay >= .zero && delay <= RetryAfter.maximum, "a delay of \(delay)")
  }
  guard let date = HTTPDate.parse(text, now: now) else { return }
  require(date.timeIntervalSince1970 == date.timeIntervalSince1970.rounded(), "part of a second")
  checkPrinting(date)
}

/// A date is printed as the C library prints it, and read again.
private func checkPrinting(_ date: Date) {
  let second = date.timeIntervalSince1970.rounded(.down)
  guard let printed = HTTPDate.string(from: date) else {
    // The years 0 to 9999.
    return require(!(-62_167_219_200..<253_402_300_800).contains(second), "no form of \(second)")
  }
  require(
    HTTPDate.parse(printed, now: date)?.timeIntervalSince1970 == second,
    "\(second) is printed \(printed) and read as something else")
  var (fields, time) = (tm(), time_t(second))
  gmtime_r(&time, &fields)
  var buffer = [CChar](repeating: 0, count: 64)
  strftime(&buffer, buffer.count, "%a, %d %b ", &fields)
  var expected = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  // `%Y` has no leading zeros.
  let year = String(Int(fields.tm_year) + 1900)
  expected += String(repeating: "0", count: 4 - year.count) + year
  strftime(&buffer, buffer.count, " %H:%M:%S GMT", &fields)
  expected += String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  require(printed == expected, "\(second) is printed \(printed), not \(expected)")
}
