import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Items that are equal to others with another content", .standardTimeLimit)
struct PagedCollectionEqualItemsTests {
  /// Equal to every other version of itself, as many a model is.
  struct Note: Decodable, Sendable, Equatable {
    let id: Int
    var text: String

    static func == (left: Note, right: Note) -> Bool { left.id == right.id }
  }

  /// Notes in two pages, and a list of them.
  struct NoteListFixture {
    let stub = StubTransport()
    let list: PagedCollection<Note>
    let mirror = ListMirror<Note>()

    init(
      isolation: isolated any Actor = #isolation,
      options: (inout PagedCollection<Note>.Options) -> Void = { _ in }
    ) {
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      list = service.pages(
        "notes?page=1", of: Note.self, style: .linkHeader, options: .with(options))
      list.addObserver(mirror)
    }

    func serve(_ pages: [[(id: Int, text: String)]]) {
      for (index, notes) in pages.enumerated() {
        let items = notes.map { "{\"id\":\($0.id),\"text\":\"\($0.text)\"}" }
        let isLast = index + 1 == pages.count
        stub.on(
          .get, "/notes?page=\(index + 1)",
          .json(
            "[\(items.joined(separator: ","))]",
            headers: isLast ? [:] : ["Link": "</notes?page=\(index + 2)>; rel=\"next\""]))
      }
    }

    var texts: [String] { list.items.map(\.text) }
    var textsOfPages: [String] { list.pages.flatMap { $0.content?.items ?? [] }.map(\.text) }
  }

  @Test(
    "A refresh shows their new content", arguments: StoreActor.allCases,
    [PagedCollection<Note>.Options.Publication.asPagesArrive, .whenComplete])
  func refresh(actor: StoreActor, publication: PagedCollection<Note>.Options.Publication)
    async throws
  {
    for isIdentified in [false, true] {
      await actor.run { actor in
        let fixture = NoteListFixture {
          $0.publication = publication
          if isIdentified { $0.identity = ItemIdentity { $0.id } }
        }
        fixture.serve([[(1, "a"), (2, "b")], [(3, "c")]])
        fixture.list.loadAll()
        await fixture.list.settled()
        fixture.serve([[(1, "A"), (2, "b")], [(3, "C"), (4, "d")]])
        fixture.list.refresh()
        await fixture.list.settled()
        #expect(fixture.texts == ["A", "b", "C", "d"])
        #expect(fixture.texts == fixture.textsOfPages)
      }
    }
  }

  @Test("Items that moved to other pages have the content of those", arguments: StoreActor.allCases)
  func moved(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = NoteListFixture()
      fixture.serve([[(1, "a"), (2, "b")], [(3, "c"), (4, "d")]])
      fixture.list.loadAll()
      await fixture.list.settled()
      fixture.serve([[(9, "i"), (1, "A")], [(2, "B"), (3, "C")]])
      fixture.list.refresh()
      await fixture.list.settled()
      #expect(fixture.texts == ["i", "A", "B", "C"])
    }
  }

  @Test("An edit, a local write and a roll-back show", arguments: StoreActor.allCases)
  func edits(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = NoteListFixture { $0.identity = ItemIdentity { $0.id } }
      fixture.serve([[(1, "a"), (2, "b")], [(3, "c")]])
      fixture.list.loadAll()
      await fixture.list.settled()
      let edit = fixture.list.update(identifiedBy: 2) { $0.text = "B" }
      #expect(fixture.texts == ["a", "B", "c"])
      edit?.rollBack()
      #expect(fixture.texts == ["a", "b", "c"])
      fixture.list.pages[1].updateContent { $0.items[0].text = "C" }
      #expect(fixture.texts == ["a", "b", "C"])
    }
  }

  @Test(
    "At random, items are those of the pages, whatever is equal to what",
    arguments: StoreActor.allCases)
  func random(actor: StoreActor) async throws {
    await actor.run { actor in
      for seed in UInt64(1)...60 {
        var random = SeededGenerator(seed: seed)
        let isIdentified = random.chance(0.4)
        let fixture = NoteListFixture {
          if isIdentified { $0.identity = ItemIdentity { $0.id } }
          $0.publication = random.chance(0.5) ? .whenComplete : .asPagesArrive
        }
        var version = 0
        for _ in 0..<8 {
          version += 1
          var ids = Array(0..<9).shuffled(using: &random)
          let pages = (0..<3).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
              let id = ids.removeLast()
              return (id: id, text: "\(id), version \(random.chance(0.5) ? 0 : version)")
            }
          }
          fixture.serve(pages)
          fixture.list.refresh()
          fixture.list.loadAll()
          await fixture.list.settled()
          let texts = pages.flatMap { $0.map(\.text) }
          guard fixture.texts == texts else {
            Issue.record("seed \(seed): \(fixture.texts), the server has \(texts)")
            return
          }
        }
        #expect(fixture.mirror.failure == nil)
      }
    }
  }
}
