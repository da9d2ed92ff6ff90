import Testing

@testable import Freshet

@Suite("Cache-Control")
struct CacheControlTests {
  @Test("Directives of several lines are read in order, names in any case")
  func directives() {
    let control = CacheControl(["Private, MAX-AGE=60", " no-cache=\"a, max-age=1\" ,, foo=bar"])
    #expect(control.directives.map(\.name) == ["private", "max-age", "no-cache", "foo"])
    #expect(control.directives.map(\.argument) == [nil, "60", "a, max-age=1", "bar"])
    #expect(control.contains("no-cache") && !control.contains("a"))
    #expect(control.duration("max-age") == .seconds(60))
  }

  @Test(
    "A time is digits, plain or quoted",
    arguments: [
      ("max-age=0", 0), ("max-age=003600", 3600), ("max-age= 1 ", 1), ("max-age=\"5\"", 5),
      ("max-age=-1", nil),
      ("max-age='4'", nil), ("max-age=2s", nil), ("max-age=1.0", nil), ("max-age=1 2", nil),
      ("max-age=", nil),
      ("max-age", nil), ("max-age =7", nil), ("max-age=٣", nil), ("x=\"max-age=9\"", nil),
    ])
  func times(field: String, seconds: Int?) {
    #expect(CacheControl([field]).duration("max-age") == seconds.map { .seconds($0) })
  }

  @Test("Of repeated directives the first valid one counts")
  func repeated() {
    #expect(CacheControl(["max-age=10, max-age=20"]).duration("max-age") == .seconds(10))
    #expect(
      CacheControl(["max-age10, max-age=now", "max-age=20, max-age=30"]).duration("max-age")
        == .seconds(20))
  }

  @Test(
    "Huge times mean very long",
    arguments: ["2147483648", "9223372036854775807", "99999999999999999999"])
  func hugeTimes(digits: String) {
    #expect(CacheControl(["max-age=\(digits)"]).duration("max-age") == CacheControl.longest)
  }

  @Test("Junk is dropped", arguments: ["", ",", "=", "=1", "a b", "\"", "\"x\"=1", "é=1", "; x"])
  func junk(field: String) {
    #expect(CacheControl([field]).directives.isEmpty)
    #expect(CacheControl([field, "no-store"]).contains("no-store"))
  }

  @Test(
    "A restriction counts in a malformed element too",
    arguments: ["no-store", "No-Cache"],
    [
      "\"?\"", "max-age=1; ?", "max-age=1 ?", "? max-age=1", "?\u{B}", "\"max-age=1, ?\"", "?;",
      "? =1",
      "private=\"a, ?",
    ])
  func garbledRestrictions(name: String, field: String) {
    let control = CacheControl([field.replacing("?", with: name)])
    #expect(control.contains(name.lowercased()))
  }

  @Test(
    "A longer word or an argument is no restriction",
    arguments: [
      "x-no-store", "no-store-x; a", "no-stored", "a=\"no-store\"", "no_store", "no store",
      "a=no-store",
    ])
  func noRestriction(field: String) {
    #expect(!CacheControl([field]).contains("no-store"))
  }
}
