import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Items with an identity of their own", .standardTimeLimit)
struct PagedCollectionOwnIdentityTests {
  private struct Row: Decodable, Sendable, Identifiable, Equatable {
    var id: String
    var text = ""

    init(from decoder: any Decoder) throws {
      id = try decoder.singleValueContainer().decode(String.self)
    }
  }

  @Test("They are shown once each, and found by their ids, with no option set")
  func byDefault() async {
    await StoreActor.plainActor.run { actor in
      let list = Self.list(options: .init())
      list.loadAll()
      await list.settled()
      #expect(list.items.map(\.id) == ["a", "b", "c"])
      #expect(list.duplicateCount == 1)
      #expect(list.index(ofID: "c") == 2 && list.index(ofID: "x") == nil)
      let edit = list.update(id: "b") { $0.text = "edited" }
      #expect(list.items[1].text == "edited")
      edit?.rollBack()
      list.remove(id: "a")
      #expect(list.items.map(\.id) == ["b", "c"])
    }
  }

  @Test("Each copy is shown where that is wanted, and the newest one where that is wanted")
  func otherwise() async {
    await StoreActor.plainActor.run { actor in
      var options = PagedCollection<Row>.Options()
      options.identity = nil
      let all = Self.list(options: options)
      all.loadAll()
      await all.settled()
      #expect(all.items.map(\.id) == ["a", "b", "b", "c"])
      options.identity = .automatic(showing: .newest)
      let newest = Self.list(options: options)
      newest.loadAll()
      await newest.settled()
      #expect(newest.items.map(\.id) == ["a", "b", "c"] && newest.duplicateCount == 1)
    }
  }

  @Test("An id of items without an identity stops the program and says why")
  func withoutIdentity() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await StoreActor.plainActor.run { actor in
        let service = ServiceFixture().service
        let list = service.pages("items", of: Int.self)
        _ = list.index(identifiedBy: 1)
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("the items of this list have no identity; set Options.identity"))
  }

  @Test("An id of another type stops the program and says which type it is")
  func otherType() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await StoreActor.plainActor.run { actor in
        let service = ServiceFixture().service
        var options = PagedCollection<Int>.Options()
        options.identity = ItemIdentity { $0 }
        let list = service.pages("items", of: Int.self, options: options)
        _ = list.update(identifiedBy: "1") { $0 = 2 }
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("items of this list are identified by Int, not by String"))
  }

  private static func list(
    options: PagedCollection<Row>.Options, isolation: isolated any Actor = #isolation
  ) -> PagedCollection<Row> {
    let stub = StubTransport()
    stub.on(
      .get, "/items?page=1",
      .json(#"["a","b"]"#, headers: ["Link": "</items?page=2>; rel=next"]))
    stub.on(.get, "/items?page=2", .json(#"["b","c"]"#))
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    return service.pages("items?page=1", of: Row.self, style: .linkHeader, options: options)
  }
}
