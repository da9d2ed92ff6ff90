import Freshet

struct Gist: Decodable, Sendable, Equatable {
  let id: Int
  let title: String
}

// README: the view model
@MainActor final class GistList {
  private let gists: PagedCollection<Gist>
  private(set) var titles: [String] = []
  private(set) var status = ""
  var draw: () -> Void = {}

  init(_ service: Service) {
    gists = service.pages("gists", of: Gist.self, style: .linkHeader)
    gists.addObserver(owner: self) { [weak self] gists, _ in
      self?.titles = gists.items.map(\.title)
      self?.status = "\(gists.state)"
      self?.draw()
    }
    gists.loadIfNeeded()
  }

  func rowShown(_ row: Int) { gists.itemShown(at: row) }
  func pulledToRefresh() { gists.refresh() }
}
// README: end
