import Foundation
import Freshet

/// A list of GitHub's gists: `Link` headers, more when the end is near, pull to refresh, retry, and
/// "last updated".
@MainActor
final class GistFeed: @MainActor PagedCollectionObserver {
  struct Gist: Decodable, Identifiable, Equatable, Sendable {
    let id: String
    var description: String?
    let updatedAt: Date
  }

  private let gists: PagedCollection<Gist>
  private(set) var rows: [Gist] = []
  private(set) var footer = ""
  var lastUpdated: Date? { gists.lastRefreshDate ?? gists.lastLoadDate }

  init(_ service: Service) {
    service.configure("gists**") { $0.json.keyDecodingStrategy = .convertFromSnakeCase }
    var options = PagedCollection<Gist>.Options()
    options.prefetchDistance = 5
    gists = service.pages("gists/public", of: Gist.self, style: .linkHeader, options: options)
    gists.addObserver(self)
    gists.loadIfNeeded()
  }

  func willDisplay(_ row: Int) { gists.itemShown(at: row) }
  func pullToRefresh() async { await gists.refreshAndWait() }
  func retry() { gists.retry() }
  func settled() async { await gists.settled() }

  func collectionChanged(_ gists: PagedCollection<Gist>, event: PagedCollectionEvent<Gist>) {
    switch event {
    case .itemsChanged(let change): change.apply(to: &rows)
    case .stateChanged(let state): footer = text(for: state)
    default: break
    }
  }

  private func text(for state: PagedCollectionState) -> String {
    switch state {
    case .idle: ""
    case .loading, .waiting: "Loading"
    case .ended: "\(rows.count) gists"
    case .failed(let error, _): error.userMessage
    case .incomplete(let walk): "\(walk)"
    }
  }
}
