import Testing

@testable import Freshet

@Suite("The query of a URL")
struct URIQueryTests {
  @Test(
    "A query that is not edited stays as it is",
    arguments: [
      "https://a/b", "https://a/b?", "https://a/b?#", "https://a/?a=%2f&a=%2F&&b&=c&d=e=f+g#h?i&j",
      "https://a/b#c?d=e", "?", "",
    ])
  func roundTrips(url: String) {
    #expect(URIQuery(url: url).url == url)
  }

  @Test("Setting one parameter leaves the bytes of the others")
  func setKeepsOthers() {
    var query = URIQuery(url: "https://a/?q=a%2fb+c&page=1&q=%2F&page=9#f")
    query.set("page", to: "2")
    #expect(query.url == "https://a/?q=a%2fb+c&page=2&q=%2F#f")
    query.set("size", to: "")
    #expect(query.url == "https://a/?q=a%2fb+c&page=2&q=%2F&size=#f")
    query.set("q", to: nil)
    #expect(query.url == "https://a/?page=2&size=#f")
  }

  @Test("A value may hold anything")
  func valueIsEncoded() {
    var query = URIQuery(url: "https://a/")
    query.set("the [name]", to: "+ & = # % / ä ~")
    #expect(
      query.url == "https://a/?the%20%5Bname%5D=%2B%20%26%20%3D%20%23%20%25%20%2F%20%C3%A4%20~")
    #expect(query.value(of: "the [name]") == "+ & = # % / ä ~")
  }

  @Test("The first and the last parameter come and go with their question mark")
  func questionMarkFollows() {
    var query = URIQuery(url: "https://a/?#f")
    query.set("a", to: "1")
    #expect(query.url == "https://a/?a=1#f")
    query.set("a", to: nil)
    #expect(query.url == "https://a/#f")
  }

  @Test("Names are compared decoded")
  func namesAreDecoded() {
    var query = URIQuery(url: "https://a/?page%5Bsize%5D=1&flag&x=%zz")
    #expect(query.value(of: "page[size]") == "1")
    #expect(query.value(of: "flag") == "")
    #expect(query.value(of: "x") == "%zz")
    #expect(query.value(of: "none") == nil)
    query.set("page[size]", to: "2")
    #expect(query.query == "page%5Bsize%5D=2&flag&x=%zz")
  }

  @Test("Sorting by name keeps the order of equal names")
  func sortIsStable() {
    var query = URIQuery(url: "https://a/?b=2&a=9&b=1&a=8&B=0&b")
    query.sortByName()
    #expect(query.query == "B=0&a=9&a=8&b=2&b=1&b")
  }

  @Test("Names are compared as bytes")
  func namesAreBytes() {
    var query = URIQuery(url: "https://a/?%C3%A9=1")
    query.set("e\u{301}", to: "2")
    #expect(query.query == "%C3%A9=1&e%CC%81=2")
  }

  @Test("Random URLs come back byte for byte", arguments: [1, 2, 3] as [UInt64])
  func randomURLs(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", "=", "&", "?", "#", "%2f", "+", "é", "\u{301}", "\r", "\n", ";"]
    for round in 0..<1_000 {
      let url = (0..<Int.random(in: 0...12, using: &random)).map { _ in random.pick(pieces) }
        .joined()
      var query = URIQuery(url: url)
      #expect(
        query.url.utf8.elementsEqual(url.utf8),
        "seed \(seed) round \(round): \(url.debugDescription)")
      query.set("new", to: "&")
      #expect(query.value(of: "new") == "&", "seed \(seed) round \(round): \(url.debugDescription)")
      query.set("new", to: nil)
      #expect(
        URIQuery(url: url).parameters.starts(with: query.parameters), "seed \(seed) round \(round)")
    }
  }

  @Test(
    "Parameters that were added are removed, those that were changed are as before",
    arguments: [
      ("https://a/?b=2&key=x&c=3", "https://a/?b=2&c=3"),
      ("http://a/b?%6Bey=y&c=%2f#f", "http://a/b?c=%2f#f"),
      ("https://a/?key=x", "https://a/"), ("https://a/?page=2", "https://a/?page=1"),
      ("https://a/?q&page=9&page=10&z", "https://a/?q&page=1&z"),
      ("https://a/?b=3&q", "https://a/?b=3&q"), ("https://a/", "https://a/"),
    ])
  func undoing(url: String, expected: String) {
    let (original, changed) = ("https://a/?b=2&page=1", "https://a/?b=2&page=2&key=x")
    #expect(URIQuery.undoing(from: original, to: changed, in: url) == expected)
  }
}
