import Freshet
import FreshetTesting
import Testing

/// A server whose every page names a next page.
@Suite("Lists whose server names a next page for ever", .standardTimeLimit)
struct PagedCollectionEmptyPagesTests {
  /// Loads all of a list of two items a page.
  ///
  /// - Parameters:
  ///   - total: the total of a page by its number from 1; nil for none.
  ///   - pages: the numbers of the pages with items.
  private func load(
    _ pages: [Int], total: @escaping @Sendable (Int) -> Int? = { _ in nil },
    isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in }
  ) async -> (list: PagedCollection<Int>, requestCount: Int) {
    let stub = StubTransport(numbered: { page in
      let items = pages.contains(page) ? "[\(page * 2 - 1), \(page * 2)]" : "[]"
      let count = total(page).map { ",\"total\":\($0)" } ?? ""
      return .json("{\"items\":\(items)\(count),\"next\":\"/rows?page=\(page + 1)\"}")
    })
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    var chosen = PagedCollection<Int>.Options()
    chosen.pageLimit = 300
    options(&chosen)
    let list = service.pages(
      "rows", of: Int.self, style: .nextURL(at: "next").items(at: "items"), options: chosen)
    list.loadAll()
    await list.settled()
    return (list, stub.requests.count)
  }

  @Test("Pages that optimistic edits have emptied are no empty pages, in memory or dropped")
  func emptiedByEdits() async {
    await StoreActor.mainActor.run { actor in
      for retained in [nil, 1] {
        let stub = StubTransport(numbered: { page in
          let next = page < 4 ? "\"/rows?page=\(page + 1)\"" : "null"
          return .json("{\"items\":[\(page)],\"next\":\(next)}")
        })
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
        var options = PagedCollection<Int>.Options()
        options.emptyPageLimit = 2
        options.retainedPageLimit = retained
        let style = PageStyle.nextURL(at: "next").items(at: "items")
        let list = service.pages("rows", of: Int.self, style: style, options: options)
        list.loadPages(through: 2)
        await list.settled()
        let pages = ["rows?page=2", "rows?page=3"].map { path -> Resource<Page<Int>> in
          service.resource(path, decoder: .page(style))
        }
        let edits = pages.map { $0.updateContent { $0.items = [] } }
        list.loadAll()
        await list.settled()
        #expect(list.state.description == "ended" && list.items.last == 4)
        withExtendedLifetime(edits) {}
      }
    }
  }

  @Test("One that returns to a window is not the end because of the items after it")
  func returnsToWindow() async {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport(numbered: { page in
        let items = [1: "[1, 2]", 3: "[3, 4]"][page] ?? "[]"
        let next = page < 3 ? "\"/rows?page=\(page + 1)\"" : "null"
        return .json("{\"items\":\(items),\"total\":4,\"next\":\(next)}")
      })
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = 1
      let list = service.pages(
        "rows", of: Int.self, style: .nextURL(at: "next").items(at: "items"), options: options)
      list.loadAll()
      await list.settled()
      #expect(list.items == [3, 4] && list.state == .ended)
      list.loadPreviousPage()
      await list.settled()
      #expect(list.items == [1, 2] && list.state == .idle)
      list.loadAll()
      await list.settled()
      #expect(list.items == [3, 4] && list.state == .ended)
    }
  }

  @Test("A page without items is the end where as many are loaded as it counts")
  func total() async {
    await StoreActor.mainActor.run { actor in
      for retained in [nil, 1] {
        let (list, requestCount) = await load([1, 2], total: { _ in 4 }) {
          $0.retainedPageLimit = retained
        }
        #expect(list.state.description == "ended")
        #expect(requestCount == 3)
      }
      let (none, requestCount) = await load([], total: { _ in 0 })
      #expect(none.state.description == "ended" && requestCount == 1)
    }
  }

  @Test("It is not the end where it counts more, or its own items alone")
  func otherTotals() async {
    await StoreActor.mainActor.run { actor in
      let (filtered, _) = await load([1, 4], total: { $0 < 5 ? 5 : 4 })
      #expect(filtered.items == [1, 2, 7, 8])
      #expect(filtered.state.description == "ended")
      let (counted, _) = await load([1, 4], total: { [1, 4].contains($0) ? 2 : 0 })
      #expect(counted.items == [1, 2, 7, 8])
    }
  }

  @Test("Duplicates on pages that are not confirmed yet do not count as loaded")
  func moved() async {
    await StoreActor.mainActor.run { actor in
      let fixture = ServiceFixture()
      var options = PagedCollection<Int>.Options()
      options.identity = ItemIdentity { $0 }
      func page(_ number: Int, _ items: [Int]) {
        let next = number < 5 ? "\"/rows?page=\(number + 1)\"" : "null"
        fixture.stub.on(
          .get, number == 1 ? "/rows" : "/rows?page=\(number)",
          .json("{\"items\":\(items),\"total\":8,\"next\":\(next)}"))
      }
      for (number, items) in [[1, 2], [3, 4], [5, 6], [7, 8], []].enumerated() {
        page(number + 1, items)
      }
      let list = fixture.service.pages(
        "rows", of: Int.self, style: .nextURL(at: "next").items(at: "items"), options: options)
      list.loadAll()
      await list.settled()
      #expect(list.items == Array(1...8))
      // The third page is empty, as where a filter is applied after the pages were cut.
      for (number, items) in [[5, 6], [7, 8], [], [1, 2], [3, 4]].enumerated() {
        page(number + 1, items)
      }
      list.refresh(.all)
      await list.settled()
      #expect(list.items == [5, 6, 7, 8, 1, 2, 3, 4])
    }
  }

  @Test(
    "Items of pages that were dropped before a refresh do not count as loaded", arguments: [1, 2])
  func droppedBeforeRefresh(retained: Int) async {
    await StoreActor.mainActor.run { _ in
      let fixture = ServiceFixture()
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = retained
      func serve(_ pages: [[Int]]) {
        for (index, items) in pages.enumerated() {
          let next = index + 1 < pages.count ? "\"/rows?page=\(index + 2)\"" : "null"
          fixture.stub.on(
            .get, index == 0 ? "/rows" : "/rows?page=\(index + 1)",
            .json("{\"items\":\(items),\"total\":\(pages.joined().count),\"next\":\(next)}"))
        }
      }
      serve([[1, 2], [3, 4], [5, 6], [], [7, 8]])
      let list = fixture.service.pages(
        "rows", of: Int.self, style: .nextURL(at: "next").items(at: "items"), options: options)
      list.loadPages(through: 2)
      await list.settled()
      #expect(list.items.last == 6)
      // Of the dropped pages, the first one has no items any more.
      serve([[], [3, 4], [5, 6], [], [7, 8]])
      list.refresh()
      await list.settled()
      list.loadAll()
      await list.settled()
      #expect(list.items.last == 8 && list.state == .ended)
    }
  }

  @Test(
    "A window at the end is still there once stale, unless a total or a page is another one",
    arguments: [(4, [3, 4]), (3, [3, 4]), (5, [3, 4]), (4, [3, 5])])
  func staleWindow(total: Int, second: [Int]) async {
    await StoreActor.mainActor.run { actor in
      let server = Locked((total: 4, pages: [[1, 2], [3, 4]]))
      let stub = StubTransport(numbered: { page in
        let (total, pages) = server.withLock { $0 }
        let items = page <= pages.count ? pages[page - 1] : []
        return .json("{\"items\":\(items),\"total\":\(total),\"next\":\"/rows?page=\(page + 1)\"}")
      })
      let clock = ManualClock()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: actor)
      let list = service.pages(
        "rows", of: Int.self, style: .nextURL(at: "next").items(at: "items"),
        options: .with {
          $0.retainedPageLimit = 1
          $0.emptyPageLimit = 3
        })
      list.loadAll()
      await list.settled()
      #expect(list.state == .ended && stub.requests.count == 3)
      for isChanged in [false, true] {
        if isChanged { server.withLock { $0 = (total, [[1, 2], second]) } }
        stub.forgetRequests()
        clock.advance(by: .seconds(31))
        list.loadIfNeeded()
        list.loadAll()
        await list.settled()
        let isSame = !isChanged || total == 4 && second == [3, 4]
        #expect((list.state == .ended) == isSame, "\(list.state)")
        #expect(stub.requests.count == (isSame ? 2 : 4))
      }
    }
  }

  @Test("An edit in a window does not change how many items count as loaded")
  func editedInWindow() async {
    await StoreActor.mainActor.run { _ in
      let stub = StubTransport(numbered: { page in
        let items = page < 3 ? "[\(page * 2 - 1), \(page * 2)]" : "[]"
        return .json("{\"items\":\(items),\"total\":4,\"next\":\"/rows?page=\(page + 1)\"}")
      })
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = 1
      let list = service.pages(
        "rows", of: Int.self, style: .nextURL(at: "next").items(at: "items"), options: options)
      list.loadPages(through: 1)
      await list.settled()
      let edit = list.pages.last?.updateContent { $0.items[0] = 9 }
      #expect(list.firstItemIndex == 2 && list.items == [9, 4])
      list.loadAll()
      await list.settled()
      #expect(list.state == .ended && stub.requests.count == 3)
      withExtendedLifetime(edit) {}
    }
  }

  @Test("As many pages without items as are allowed in a row are incomplete, and say what to do")
  func limit() async {
    await StoreActor.mainActor.run { actor in
      for (retained, displayed) in [(nil, 1), (1, 1), (2, 1), (1, 0), (2, 0)] {
        let (list, requestCount) = await load(
          [1, 4],
          options: {
            $0.emptyPageLimit = 3
            $0.retainedPageLimit = retained
            $0.displayedCount = displayed
          })
        #expect(requestCount == 7)
        guard case .incomplete(let walk) = list.state else {
          Issue.record("the state is \(list.state)")
          return
        }
        #expect(walk.reason == .emptyPages(3))
        #expect(walk.description.contains("raise the limit"))
      }
      let (first, requestCount) = await load([], options: { $0.emptyPageLimit = 0 })
      #expect(first.state.description.contains("no items") && requestCount == 1)
    }
  }

  @Test("Those that were dropped are of that row")
  func dropped() async {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport(numbered: { page in
        .json("{\"items\":\(page == 1 ? "[1, 2]" : "[]"),\"next\":\"/rows?page=\(page + 1)\"}")
      })
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      var options = PagedCollection<Int>.Options()
      options.emptyPageLimit = 3
      options.retainedPageLimit = 1
      let style = PageStyle.nextURL(at: "next").items(at: "items")
      let list = service.pages("rows", of: Int.self, style: style, options: options)
      list.loadPages(through: 2)
      await list.settled()
      // It is without items by what the server has sent, and keeps those before it out of the window.
      let page: Resource<Page<Int>> = service.resource("rows?page=3", decoder: .page(style))
      let edit = page.updateContent { $0.items = [9] }
      list.loadAll()
      await list.settled()
      #expect(list.items == [9] && list.pageCount == 2)
      list.loadMore()
      await list.settled()
      #expect(stub.requests.count == 4)
      withExtendedLifetime(edit) {}
    }
  }

  @Test("A hundred in a row are allowed, and fewer are not the end")
  func generous() async {
    await StoreActor.mainActor.run { actor in
      let (list, requestCount) = await load([1, 100])
      #expect(list.items == [1, 2, 199, 200])
      #expect(requestCount == 200)
    }
  }
}
