import Foundation
import Freshet
import FreshetTesting
import Testing

/// The example in Performance.md: another JSON package decodes what a style finds.
@Suite("Pages that another package decodes", .standardTimeLimit)
struct PluggedDecoderTests {
  @Test("A style finds items and links, and leaves decoding to a decoder of the program")
  func plugged() throws {
    let style = PageStyle.nextURL(at: "next").items(at: "data.items")
    let decoder = decoder(of: Int.self, style: style)
    let body = #"{"data": {"items": [1, 2, 3]}, "next": "?page=2", "total": 7}"#
    let url = try #require(URL(string: "https://api.test/items"))
    let response = HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: Data(body.utf8), url: url)
    let page = try style.page(from: response, to: ResourceKey(url: url.absoluteString))
    #expect(page.items.map(\.description) == ["1", "2", "3"])
    #expect(decoder.name == "fast-json \(style)")
    #expect(page.next == PageLink(.follow("?page=2")))
    #expect(page.totalCount == 7)
  }

  private func decoder<Item: Decodable & Sendable>(
    of type: Item.Type, style: PageStyle
  ) -> ContentDecoder<Page<Item>> {
    ContentDecoder("fast-json \(style)", accepting: ["application/json"]) { input in
      let page = try style.page(from: input.response, to: input.key)
      let items = try page.items.map { try JSONDecoder().decode(Item.self, from: $0.bytes) }
      return Page(
        items: items, next: page.next, previous: page.previous, totalCount: page.totalCount,
        style: page.style)
    }
  }
}
