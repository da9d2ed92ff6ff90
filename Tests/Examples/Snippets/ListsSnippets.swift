import Freshet

@MainActor
final class Lists {
  let service: Service

  struct Local: Codable, Identifiable, Sendable, Equatable {
    let id: Int
    var title: String
  }

  init(_ service: Service) { self.service = service }

  func observed() -> (items: () -> [Int], settled: () async -> Void) {
    // snippet
    nonisolated struct Gist: Codable, Identifiable, Equatable { let id: Int; var title: String }

    let gists = service.pages("gists", of: Gist.self)
    gists.addObserver(owner: self) { [weak self] gists, event in
      if case .itemsChanged(let change) = event { self?.apply(change.splices) }
    }
    gists.loadIfNeeded()
    // end
    return ({ gists.items.map(\.id) }, { await gists.settled() })
  }

  private(set) var spliceCount = 0

  func apply(_ splices: [some Any]) { spliceCount += splices.count }

  func concurrent() -> PagedCollection<Local> {
    typealias Gist = Local
    // snippet
    var options = PagedCollection<Gist>.Options()
    options.concurrentLoads = 4
    let gists = service.pages("gists", of: Gist.self, style: .pageNumber("page"), options: options)
    // end
    return gists
  }

  func change(_ changes: [String: String]) {
    typealias Gist = Local
    let service = service
    // snippet
    let gist = service.resource("gists/1", of: Gist.self)
    gist.request(.patch, body: .json(changes), as: NoContent.self)
      .onSuccess { _ in service.invalidate(matching: "gists**") }
    // end
  }

  struct Row: Decodable, Sendable { let key: String }

  func identity() -> PagedCollection<Row> {
    // snippet
    var options = PagedCollection<Row>.Options()
    options.identity = ItemIdentity { $0.key }  // nil: each copy is shown
    // end
    return service.pages("rows", of: Row.self, options: options)
  }

  func rename(
    _ gists: PagedCollection<Local>, _ gist: Resource<Local>, _ changes: [String: String]
  ) {
    // snippet
    let edit = gists.update(id: 7) { $0.title = "Renamed" }
    gist.request(.patch, body: .json(changes), as: NoContent.self)
      .onSuccess { _ in edit?.commit() }.onFailure { _ in edit?.rollBack() }
    // end
  }

  func details(_ gists: PagedCollection<Local>) -> Resource<Local> {
    typealias Gist = Local
    let service = service
    // snippet
    let details = gists.details { id in service.resource("gists/\(id)", of: Gist.self) }

    let gist = details[7]  // shows the list's item at once
    gist.loadIfNeeded()
    // end
    return gist
  }

  struct Headline: Codable, Identifiable, Sendable, Equatable {
    let id: Int
    var title: String
  }

  struct Article: Codable, Sendable, Equatable {
    let id: Int
    var title: String
    var text: String?
  }

  func articles(_ headlines: PagedCollection<Headline>) -> ItemDetails<Headline, Article> {
    let service = service
    // snippet
    let details = headlines.details { id in
      service.resource("articles/\(id)", of: Article.self)
    } item: { article in
      Headline(id: article.id, title: article.title)
    } detail: { headline, known in
      Article(id: headline.id, title: headline.title, text: known?.text)
    }
    // end
    return details
  }

  private(set) var reports: [String] = []

  func archive(_ gists: [Local]) { reports.append("\(gists.count) items") }
  func report(_ text: String) { reports.append(text) }

  func loadEverything(_ gists: PagedCollection<Local>) async {
    // snippet
    gists.loadAll()
    await gists.settled()
    switch gists.state {
    case .ended: archive(gists.items)
    case .failed(let error, let page): report("page \(page + 1): \(error.userMessage)")
    case .incomplete(let walk): report("\(walk)")
    case .idle, .loading, .waiting: report("cancelled")
    }
    // end
  }

  func restore(_ gists: PagedCollection<Local>, at restored: Int) async {
    // snippet
    gists.itemsShown(in: restored..<restored + 20)
    await gists.settled()
    // end
  }

  private(set) var redrawn: [Range<Int>] = []
  var selection: Int?

  func redrawMargin(_ rows: Range<Int>) { redrawn.append(rows) }

  func followPages(_ gists: PagedCollection<Local>) {
    // snippet
    gists.addPageObserver(owner: self) { [weak self] gists, page, _ in
      if let index = gists.pageIndex(of: page) {
        self?.redrawMargin(gists.itemRange(ofPage: index))
      }
    }
    // end
  }

  func followSelection(_ gists: PagedCollection<Local>) {
    // snippet
    gists.addObserver(owner: self) { [weak self] gists, event in
      guard let self, case .itemsChanged(let change) = event else { return }
      selection = selection.flatMap(change.newIndex(ofItemAt:))
    }
    // end
  }

  private(set) var archive: [Row] = []
  private(set) var stored = PageCursor.start
  private(set) var progress: [String] = []

  func showProgress(_ count: Int, of total: Int?) {
    progress.append("\(count) of \(total.map(String.init) ?? "?")")
  }

  // snippet
  func exportRows() async throws {
    let query = service.pageQuery("rows", from: stored, of: Row.self)
    query.itemReceived = { row in self.archive.append(row) }
    query.pageCompleted = { [unowned query] result in
      guard case .success(let cursor) = result else { return }
      self.stored = cursor
      self.showProgress(self.archive.count, of: query.totalCount)
    }
    query.start()
    await query.settled()
    query.cancelLoad()  // if this task was cancelled
    try Task.checkCancellation()
    if let error = query.latestError { throw error }
  }
  // end

  func run(_ query: PageQuery<Row>) async {
    // snippet
    query.start()
    await query.settled()
    query.cancelLoad()
    // end
  }

  func paginator(_ configured: String) throws -> Paginator<Row> {
    // snippet
    let pattern = try PaginatorPattern(parsing: configured)  // "rows?limit=:perPage&skip=:offset"
    let rows = service.paginator(pattern, of: Row.self)
    try rows.loadPage(1)
    // end
    return rows
  }
}
