import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Query parameters of resources and lists", .standardTimeLimit)
struct QueryParameterTests {
  @Test(
    "Parameters are percent-encoded, sorted by name, and combined with the query of the path",
    arguments: [
      ("a", ["q": "a & b=c+d/é"], "q=a%20%26%20b%3Dc%2Bd%2F%C3%A9"),
      ("a", ["z": "1", "filter[x]": "%20", "empty": ""], "empty=&filter%5Bx%5D=%2520&z=1"),
      ("a?z=x%2fy+z&a=1&a=2&keep", ["a": "3", "m": nil], "a=3&keep&z=x%2fy+z"),
      ("a?b=1&b=2&a=1", ["b": nil], "a=1"), ("a?b=1", ["b": nil], nil),
      ("a?b=1&a=2&&", [:], "b=1&a=2&&"), ("a", ["b": nil], nil),
      ("a#fragment", ["b": "#?"], "b=%23%3F"),
    ] as [(String, [String: String?], String?)])
  func encoding(path: String, query: [String: String?], expected: String?) async {
    await StoreActor.plainActor.run { actor in
      let service = ServiceFixture().service
      let resource = service.resource(path, query: query, of: String.self)
      let url = "https://api.test/a" + (expected.map { "?" + $0 } ?? "")
      #expect(resource.key.url == url)
      #expect(resource === service.resource(path, query: query, of: String.self))
      #expect(resource === service.resource(absoluteURL: url, of: String.self))
      let list = service.pages(path, query: query, of: Int.self)
      #expect(list.firstPage.key.url == url)
      #expect(service.pages(path, query: query, of: JSONText.self).firstPage.key.url == url)
      if !query.isEmpty {
        let set = service.resource(path, of: String.self)
          .withParameters(query.mapValues { $0.map { [$0] } ?? [] })
        #expect(set === resource)
      }
    }
  }

  @Test("What is encoded is read back as it was", arguments: 0..<20)
  func random(seed: UInt64) async {
    await StoreActor.plainActor.run { actor in
      let service = ServiceFixture().service
      var random = SeededGenerator(seed: seed)
      let characters = Array("ab&=+%?#/:[]. é\u{301}😀\u{0}\"")
      func text(_ count: Int) -> String {
        String((0..<count).map { _ in characters.randomElement(using: &random) ?? "a" })
      }
      for _ in 0..<50 {
        var query: [String: String?] = [:]
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          let isNil = Bool.random(using: &random)
          query[text(Int.random(in: 1...4, using: &random))] = .some(isNil ? nil : text(6))
        }
        let path = ["a", "a?", "a?a=1&b&%C3%A9=2"].randomElement(using: &random) ?? "a"
        let resource = service.resource(path, query: query, of: String.self)
        let read = URIQuery(url: resource.key.url)
        for (name, value) in query {
          #expect(read.value(of: name) == value, "seed \(seed), \(path), \(query)")
          #expect(read.parameters.count { Array($0.name.utf8) == Array(name.utf8) } <= 1)
        }
        #expect(resource.url != nil, "seed \(seed), \(query)")
      }
    }
  }

  @Test("A style that counts keeps the parameters", arguments: StoreActor.allCases)
  func countedPages(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      for (page, items) in [(2, "[1]"), (3, "[2]"), (4, "[]")] {
        fixture.stub.on(.get, "/items?page=\(page)&q=a%20%26%20b&z=1", .json(items))
      }
      let list = fixture.service.pages(
        "items?z=1&page=1&old=1", query: ["q": "a & b", "page": "2", "old": nil], of: Int.self,
        style: .pageNumber("page"))
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2] && list.state == .ended)
      #expect(fixture.stub.requests.count == 3)
    }
  }

  @Test("A link of the server is followed as it is", arguments: StoreActor.allCases)
  func linkedPages(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/items?q=x%20y",
        .json("[1]", headers: ["Link": "</items?q=x+y&page=2>; rel=\"next\""]))
      fixture.stub.on(.get, "/items?q=x+y&page=2", .json("[2]"))
      let list = fixture.service.pages(
        "items", query: ["q": "x y"], of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2])
      let cursor = try #require(list.pages[0].content?.next)
      let rest = try fixture.service.pages(
        "items", query: ["q": "x y"], from: cursor, of: Int.self, style: .linkHeader)
      #expect(rest.firstPage === list.pages[1])
      let texts = try fixture.service.pages(
        "items", query: ["q": "x y"], from: PageLink(.follow("?page=3")), of: JSONText.self)
      #expect(texts.firstPage.key.url == "https://api.test/items?page=3")
    }
  }

  @Test("The pages of a paginator have the parameters too", arguments: StoreActor.allCases)
  func numberedPages(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      let list = service.paginator(
        "items?page=:currentPage&n=:perPage&sort=old",
        query: ["q": "100% :offset", "sort": "new", "left": nil], of: Int.self)
      #expect(
        list.page(3).key.url
          == "https://api.test/items?n=25&page=3&q=100%25%20%3Aoffset&sort=new")
      let texts = service.paginator(
        "items?n=:perPage&skip=:offset", query: ["n": nil], of: JSONText.self)
      #expect(texts.page(2).key.url == "https://api.test/items?skip=25")
      let plain = service.paginator("items?page=:currentPage&n=:perPage", of: Int.self)
      #expect(plain.page(1).key.url == "https://api.test/items?page=1&n=25")
    }
  }

  @Test("A paginator whose query replaces the page parameter stops the program")
  func pageReplaced() async {
    await #expect(processExitsWith: .failure) {
      await StoreActor.plainActor.run { actor in
        _ = ServiceFixture().service.paginator(
          "items?page=:currentPage", query: ["page": "1"], of: Int.self)
      }
    }
  }

  @Test("With an unusable URL loads fail, and no message shows a parameter")
  func unusable() async {
    await StoreActor.plainActor.run { actor in
      let resource = ServiceFixture().service.resource(
        "https://other.test/a", query: ["token": "secret"], of: String.self)
      let error = await resource.load().failure()
      #expect(error?.kind == .invalidRequest)
      #expect(error?.message.contains("secret") == false)
    }
  }
}
