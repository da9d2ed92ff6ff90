import Freshet

@MainActor
final class Observing {
  struct Gist: Decodable, Identifiable, Equatable, Sendable {
    let id: Int
    let title: String
    var isStarred = false

    private enum CodingKeys: CodingKey { case id, title }
  }

  final class Table {
    var rows: [Gist] = []
    func apply(_ change: PagedChange<Gist>) { change.apply(to: &rows) }
  }

  let service: Service
  let table = Table()
  var shown: [String] = []

  var loading: ObservationToken?

  init(_ service: Service) { self.service = service }

  func loadAtInterval() {
    // snippet
    loading = service.loadIfNeeded(on: .every(.seconds(60)))
    // end
  }

  func draw() { shown.append("drawn") }
  func showSpinner() { shown.append("spinner") }
  func showContent() { shown.append("content") }
  func show(_ message: String, retry: () -> Void = {}) { shown.append(message) }

  /// Compiled, never called: the server is an example.
  func landing() async throws -> (current: Gist, shown: Gist?) {
    typealias Profile = Gist
    // snippet
    let service = Service(baseURL: "https://api.example.com")
    let profile = service.resource("profile", of: Profile.self)

    let current = try await profile.freshContent()  // loads if that is needed, and waits
    let shown = profile.content  // what is known now; nil before the first load
    // end
    return (current, shown)
  }

  /// Compiled, never called: the server is an example.
  func threeQuestions() -> (data: Gist?, error: ResourceError?, isLoading: Bool) {
    // snippet
    let service = Service(baseURL: "https://api.example.com")
    let gist = service.resource("gists/1", of: Gist.self)
    gist.addObserver(owner: self) { [weak self] gist, event in self?.draw() }
    gist.loadIfNeeded()

    let data = gist.content  // What is the latest data?
    let error = gist.latestError  // What was the last error?
    let isLoading = gist.isLoading  // Is a load in progress?
    // end
    return (data, error, isLoading)
  }

  func follow(_ gists: PagedCollection<Gist>) {
    // snippet
    gists.addObserver(owner: self) { [weak self] gists, event in
      if case .itemsChanged(let change) = event { self?.table.apply(change) }
    }
    // end
  }

  func values(of gist: Resource<Gist>) async -> [String] {
    // snippet
    var titles: [String] = []
    gist.loadIfNeeded()
    for await gist in gist.values {
      titles.append(gist.title)
      if titles.count == 2 { break }
    }
    // end
    return titles
  }

  func debug(_ gists: PagedCollection<Gist>) {
    // snippet
    gists.printEvents()
    service.configure { $0.log = { entry in print(entry) } }
    // end
  }

  func script() async throws {
    // snippet
    for try await gist in service.pages("gists", of: Gist.self).itemSequence {
      print(gist.title)
    }
    // end
  }

  func status(of profile: Resource<Gist>, _ gists: PagedCollection<Gist>) {
    // snippet
    let status = ResourceStatus(of: profile, gists)
    if status.hasContent { showContent() }
    switch status.phase {
    case .loading: showSpinner()
    case .failed(let error), .offline(let error): show(error.userMessage) { status.retry() }
    case .rateLimited(let date): show("Too many requests until \(date)")
    case .empty: show("Nothing here yet")
    case .idle, .content, .appending: break
    }
    // end
  }

  func star(_ gist: Resource<Gist>, _ star: Mutation<NoContent>) {
    // snippet
    star.begin(
      gist.child("star", decoder: .noContent).request(.put),
      edits: [gist.updateContent { $0.isStarred = true }]
    ) { [service] in service.invalidate(matching: "gists/starred") }
    // end
  }

  // MARK: Errors in the interface

  func message(_ profile: Resource<Gist>, _ gists: PagedCollection<Gist>) -> String {
    // snippet
    let status = ResourceStatus(of: profile, gists)
    let message =
      switch status.phase {
      case .idle: ""
      case .loading: "Loading"
      case .content: ""
      case .empty: "Nothing here yet"
      case .appending: "Loading more"
      case .failed(let error): error.userMessage
      case .offline: "No connection"
      case .rateLimited(let date): "Too many requests until \(date)"
      }
    // end
    return message
  }

  func contentFirst(_ profile: Resource<Gist>) -> ResourceStatus {
    // snippet
    let status = ResourceStatus(of: profile, rules: [.firstLoad, .allContent, .error])
    // end
    return status
  }

  func footer(_ gists: PagedCollection<Gist>) -> String {
    // snippet
    let footer =
      switch gists.state {
      case .ended: "That was all"
      case .failed(let error, _): error.userMessage
      case .incomplete: "There is more than can be shown"
      case .loading, .waiting: "Loading more"
      case .idle: ""
      }
    // end
    return footer
  }
}
