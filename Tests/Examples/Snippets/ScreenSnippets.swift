import Freshet
import Observation

/// What the page on lists shows for whole programs: a chat, a search, a copy of a list, a table.
enum Screens {
  struct Product: Codable, Identifiable, Equatable, Sendable { let id: Int }
  struct Message: Codable, Identifiable, Equatable, Sendable { let id: Int }
  struct User: Codable, Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
  }

  @MainActor
  static func resumed(
    _ messages: PagedCollection<Message>, at page: Int, in service: Service
  ) throws -> PagedCollection<Message> {
    // snippet
    let link = PageLink(.follow(messages.pages[page].key.url))
    let resumed = try service.pages("messages", from: link, of: Message.self)
    // end
    return resumed
  }

  struct Gist: Codable, Identifiable, Equatable, Sendable { let id: Int }

  @MainActor
  static func all(_ service: Service) async throws -> [Gist] {
    // snippet
    service.configure { $0.retryPolicy = .standard }
    let all = try await service.pages("gists", of: Gist.self).freshItems()
    // end
    return all
  }

  @MainActor
  static func oneCall(_ service: Service) async throws -> [Gist] {
    // snippet
    let gists = try await service.pages("gists", of: Gist.self).freshItems()
    // end
    return gists
  }

  @MainActor
  static func copy(of gists: PagedCollection<Gist>) async throws -> [Gist] {
    // snippet
    await gists.refreshAndWait()
    if let error = gists.latestError { throw error }
    let copy = try await gists.freshItems()
    // end
    return copy
  }

  // snippet
  @MainActor @Observable
  final class ProductSearch {
    private(set) var results: PagedCollection<Product>?
    private let service: Service
    private let clock: any StoreClock
    private var typing: Task<Void, Never>?

    init(_ service: Service, clock: any StoreClock = .system) {
      (self.service, self.clock) = (service, clock)
    }

    func search(_ text: String) {
      typing?.cancel()
      typing = Task {
        try? await clock.sleep(for: .milliseconds(300))
        guard !Task.isCancelled else { return }
        let found = service.pages("products", query: ["q": text], of: Product.self)
        found.loadIfNeeded()
        await found.settled()
        guard !Task.isCancelled else { return found.cancelLoad() }
        results = found
      }
    }
  }
  // end

  /// A table with page numbers.
  @MainActor
  final class Table {
    let service: Service
    let removal = Mutation<NoContent>()
    private(set) var rows: [User] = []
    private(set) var label = ""

    init(_ service: Service) { self.service = service }

    func show(_ users: [User]) { rows = users }
    func show(_ label: String) { self.label = label }

    func sort(by key: String) async throws -> Paginator<User> {
      // snippet
      let users = service.paginator(
        "users?page=:currentPage&per_page=:perPage", query: ["sort": key], of: User.self)
      try users.loadPage(1)
      await users.settled()
      show(users.items)
      if let page = users.currentPage, let count = users.totalPageCount {
        show("page \(page) of \(count)")
      }
      // end
      return users
    }

    func remove(_ id: User.ID, from users: Paginator<User>) {
      // snippet
      removal.begin(service.request(.delete, "users/\(id)"), edits: [users.remove(id: id)]) {
        try? users.refresh()
      }
      // end
    }
  }
}
