import Foundation
import Freshet

/// What the doc comments of lists, paginators and queries show.
@MainActor
final class Paging {
  struct Gist: Codable, Identifiable, Equatable, Sendable {
    let id: Int
    var title: String
    var isStarred = false
  }

  struct Hit: Decodable, Identifiable, Sendable { let id: Int }
  struct Article: Codable, Equatable, Sendable { let title: String }

  /// What a program stores.
  @MainActor
  final class Archive {
    private(set) var items: [Gist] = []
    private(set) var cursors: [PageCursor] = []
    func append(_ item: Gist) { items.append(item) }
    func save(resumingAt cursor: PageCursor) { cursors.append(cursor) }
  }

  /// A view of rows.
  @MainActor
  final class Table {
    private(set) var rows: [Gist] = []
    func apply(_ change: PagedChange<Gist>) { change.apply(to: &rows) }
  }

  let service: Service
  let archive = Archive()
  let tableView = Table()
  private(set) var spliceCount = 0
  private(set) var shown: [Article] = []
  private(set) var observation: ObservationToken?

  init(_ service: Service) { self.service = service }

  func apply(_ splices: [PagedChange<Gist>.Splice]) { spliceCount += splices.count }
  func show(_ articles: [Article]) { shown += articles }

  // MARK: Lists

  func observed() -> PagedCollection<Gist> {
    // snippet
    let gists = service.pages("gists", of: Gist.self)
    gists.addObserver(owner: self) { [weak self] gists, event in
      if case .itemsChanged(let change) = event { self?.apply(change.splices) }
    }
    gists.loadIfNeeded()
    // end
    return gists
  }

  func lists(_ text: String) -> (gists: PagedCollection<Gist>, found: PagedCollection<Hit>) {
    // snippet
    let gists = service.pages("gists", of: Gist.self, style: .linkHeader)
    gists.loadIfNeeded()

    let found = service.pages("search", query: ["q": text, "per_page": "50"], of: Hit.self)
    // end
    return (gists, found)
  }

  func resumed(at stored: Data) throws -> PagedCollection<Gist> {
    // snippet
    let link = try JSONDecoder().decode(PageLink.self, from: stored)
    let rest = try service.pages("gists", from: link, of: Gist.self, style: .linkHeader)
    // end
    return rest
  }

  func star(_ gist: Gist, of gists: PagedCollection<Gist>, by star: Resource<NoContent>) {
    // snippet
    let edit = gists.update(id: gist.id) { $0.isStarred = true }
    star.request(.put).onSuccess { _ in edit?.commit() }.onFailure { _ in edit?.rollBack() }
    // end
  }

  // MARK: Changes

  func copy(_ items: [Gist], after change: PagedChange<Gist>) -> [Gist] {
    var copy = items
    // snippet
    for splice in change.splices {
      copy.replaceSubrange(splice.removedRange, with: splice.insertedItems)
    }
    // end
    return copy
  }

  func selectionByID(_ selected: Int?, after change: PagedChange<Gist>) -> Int? {
    var selection = selected
    // snippet
    selection = selection.flatMap { change.newIndex(ofItemAt: $0, by: \.id) }
    // end
    return selection
  }

  func selection(_ selected: Int?, after change: PagedChange<Gist>) -> Int? {
    var selection = selected
    // snippet
    selection = selection.flatMap(change.newIndex(ofItemAt:))
    // end
    return selection
  }

  func followChanges(of gists: PagedCollection<Gist>) {
    // snippet
    observation = gists.observeChanges { [tableView] in tableView.apply($0) }
    // end
  }

  func rows(of gists: PagedCollection<Gist>) async -> [Gist] {
    // snippet
    var rows = gists.items
    for await change in gists.changes { change.apply(to: &rows) }
    // end
    return rows
  }

  // MARK: Numbered pages

  func firstPage() throws -> Paginator<Article> {
    // snippet
    let articles = service.paginator("articles?page=:currentPage", of: Article.self)
    try articles.loadPage(1)
    // end
    return articles
  }

  @Values
  func paginator() async throws -> [String] {
    // snippet
    let articles = service.paginator(
      "articles?per_page=:perPage&page=:currentPage", of: Article.self,
      mapping: PaginatorMapping(totalCount: "meta.total"))
    articles.onSuccess(owner: self) { [weak self] articles, items, page in self?.show(items) }
    try articles.loadPage(1)
    await articles.settled()
    if articles.hasNextPage != false { try articles.loadNextPage() }  // nil: not known
    articles.slots[120]  // the item, or which page would bring it
    // end
    await articles.settled()
  }

  // MARK: Queries

  func query() -> PageQuery<Gist> {
    let archive = archive
    // snippet
    let query = PageQuery<Gist>(firstPage: service.resource("gists", decoder: .page(.linkHeader)))
    query.itemReceived = { gist in archive.append(gist) }
    query.pageCompleted = { result in
      if case .success(let cursor) = result { archive.save(resumingAt: cursor) }
    }
    query.start()
    // end
    return query
  }

  func itemQuery() -> PageQuery<Gist> {
    let archive = archive
    // snippet
    let query = service.pageQuery("gists", of: Gist.self)
    query.itemReceived = { gist in archive.append(gist) }
    query.start()
    // end
    return query
  }
}
