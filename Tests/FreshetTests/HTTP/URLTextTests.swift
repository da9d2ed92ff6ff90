import Foundation
import Testing

@testable import Freshet

/// What is not parsed has to be what parsing it would come to.
@Suite("The URL of a request or response")
struct URLTextTests {
  @Test(
    "Is what URL makes of the same text, parsed or not", arguments: 1...4 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let origins = [
      "https://a.test", "http://a.test", "https://-", "https://.", "https://xn--bcher-kva.example",
      "https://192.168.0.1", "https://A.test", "https://a.test:8080", "https://me@a.test",
      "http://[::1]",
      "https://", "x:", "",
    ]
    let plain = ["/", "items", "A", "page=2", "&", "%2f", ",", "+", "~", "_"]
    let others = ["?", "//", ".", "..", "%2", "%zz", "#", ":", " ", "é", "[", "|", "\""]
    var plainCount = 0
    for _ in 0..<4_000 {
      var text = origins.randomElement(using: &random) ?? ""
      if random.chance(0.8) { text += "/" }
      for _ in 0..<Int.random(in: 0...7, using: &random) {
        text += (random.chance(0.9) ? plain : others).randomElement(using: &random) ?? ""
      }
      let url = URL(string: text)
      let address = URLText(text)
      #expect((address == nil) == (url == nil), "\(text)")
      guard let address, let url else { continue }
      #expect(address.url == url && address.text == url.absoluteString, "\(text)")
      #expect(address == URLText(url) && address.hashValue == URLText(url).hashValue, "\(text)")
      if address.isPlain {
        plainCount += 1
        #expect(
          ["http", "https"].contains(url.scheme) && url.host?.isEmpty == false && url.user == nil)
      }
      let exact = URL(string: text, encodingInvalidCharacters: false).flatMap {
        $0.scheme == nil ? nil : $0
      }
      #expect(URLText(exactly: text)?.url == exact, "\(text)")
    }
    #expect(plainCount > 300)
  }

  @Test("Of a response is that of its request, or the one that it is set to")
  func response() throws {
    let url = try #require(URL(string: "https://a.test/items?page=2"))
    let request = HTTPRequest(url: url)
    var response = HTTPResponse(status: 200, to: request)
    #expect(response == HTTPResponse(status: 200, url: url))
    #expect((response.url, response.urlString) == (url, "https://a.test/items?page=2"))
    response.url = url.appending(path: "3")
    #expect(response.urlString == "https://a.test/items/3?page=2")
  }
}
