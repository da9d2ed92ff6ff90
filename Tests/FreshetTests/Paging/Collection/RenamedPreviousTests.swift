import Freshet
import FreshetTesting
import Testing

@Suite("The page before the first one, where that names another one meanwhile", .standardTimeLimit)
struct RenamedPreviousTests {
  /// A list that begins with the third page, which names the first one as its previous page until the server has the
  /// second one between them.
  private func fixture(
    _ actor: isolated any Actor = #isolation, concurrentLoads: Int
  ) async -> (PageListFixture, PagedCollection<Int>) {
    let fixture = PageListFixture([])
    serve([1, 3], in: fixture)
    let list = fixture.service.pages(
      "items?page=3", of: Int.self, style: .linkHeader,
      options: .with { $0.concurrentLoads = concurrentLoads })
    list.loadAll()
    await list.settled()
    #expect(list.items == [3] && list.hasPreviousPage)
    return (fixture, list)
  }

  private func serve(_ order: [Int], in fixture: PageListFixture) {
    for (index, page) in order.enumerated() {
      let links = [
        index > 0 ? "</items?page=\(order[index - 1])>; rel=\"prev\"" : nil,
        index + 1 < order.count ? "</items?page=\(order[index + 1])>; rel=\"next\"" : nil,
      ]
      fixture.stub.on(
        .get, "/items?page=\(page)",
        .json("[\(page)]", headers: ["Link": links.compactMap(\.self).joined(separator: ", ")]))
    }
  }

  @Test(
    "No page is missing, whichever of the two responses comes first",
    arguments: StoreActor.allCases, [false, true])
  func refreshed(actor: StoreActor, isPreviousFirst: Bool) async throws {
    await actor.run { actor in
      let (fixture, list) = await fixture(concurrentLoads: 2)
      serve([1, 2, 3], in: fixture)
      let third = fixture.stub.hold(.get, "/items?page=3")
      let first = fixture.stub.hold(.get, "/items?page=1")
      list.refresh()
      list.loadPreviousPage()
      await third.arrived()
      await first.arrived()
      if isPreviousFirst {
        first.release()
        await until { list.pageCount >= 2 }
        third.release()
      } else {
        third.release()
        await until { fixture.asked.last == 2 }
        first.release()
      }
      await list.settled()
      #expect(list.items == (isPreviousFirst ? [1, 2, 3] : [2, 3]))
      list.loadPreviousPage()
      await list.settled()
      #expect(list.items == [1, 2, 3] && list.previousState == .ended && list.isEnded)
    }
  }

  @Test(
    "Nor where the program loads the page, or wipes it", arguments: StoreActor.allCases,
    [false, true])
  func loaded(actor: StoreActor, isWiped: Bool) async throws {
    await actor.run { actor in
      let (fixture, list) = await fixture(concurrentLoads: 1)
      let first = fixture.stub.hold(.get, "/items?page=1")
      list.loadPreviousPage()
      await first.arrived()
      serve([1, 2, 3], in: fixture)
      if isWiped {
        list.firstPage.wipe()
        list.loadAll()
      } else {
        list.firstPage.load()
        await until { !list.firstPage.isLoading && list.pageCount > 0 }
      }
      first.release()
      await list.settled()
      list.loadPreviousPage()
      list.loadPreviousPage()
      await list.settled()
      list.loadPreviousPage()
      await list.settled()
      #expect(list.items == [1, 2, 3] && list.previousState == .ended && list.isEnded)
    }
  }
}
