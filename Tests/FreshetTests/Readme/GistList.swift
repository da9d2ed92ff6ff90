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

@MainActor final class GistScreen {
  func draw() {}

  /// Compiled, never called: the server is an example.
  func threeQuestions() -> (data: Gist?, error: ResourceError?, isLoading: Bool) {
    // README: the three questions
    let service = Service(baseURL: "https://api.example.com")
    let gist = service.resource("gists/1", of: Gist.self)
    gist.addObserver(owner: self) { [weak self] gist, event in self?.draw() }
    gist.loadIfNeeded()

    let data = gist.content  // What is the latest data?
    let error = gist.latestError  // What was the last error?
    let isLoading = gist.isLoading  // Is a load in progress?
    // README: end
    return (data, error, isLoading)
  }
}
