import Foundation
import Freshet

/// What the doc comments of resources, requests and changes show.
@MainActor
final class Resources {
  struct Profile: Codable, Equatable, Sendable {
    var name: String
  }

  struct Gist: Codable, Identifiable, Equatable, Sendable {
    let id: Int
    var title: String
    var isStarred: Bool
  }

  final class Label {
    var text: String?
  }

  let service: Service
  let label = Label()
  private(set) var title: String?
  private(set) var shown: [String] = []
  private(set) var observation: ObservationToken?

  init(_ service: Service) { self.service = service }

  func draw() { shown.append("drawn") }
  func show(_ profile: Profile) { shown.append(profile.name) }
  func log(_ text: String) { shown.append(text) }

  /// Compiled, never called: the server is an example.
  static func example() -> Service {
    // snippet
    let service = Service(baseURL: "https://api.example.com/v1") {
      $0.freshnessLifetime = .seconds(60)
    }
    service.configure("feed/**") { $0.headers["X-Feed"] = "compact" }
    // end
    return service
  }

  // MARK: Reading

  @Values
  func threeQuestions() -> [String] {
    // snippet
    let profile = service.resource("profile", of: Profile.self)
    profile.addObserver(owner: self) { [weak self] resource, event in self?.draw() }
    profile.loadIfNeeded()

    profile.content  // latest data?
    profile.latestError  // last error?
    profile.isLoading  // in progress?
    // end
  }

  struct Hit: Decodable, Sendable { let id: Int }

  func found(on page: String) -> Resource<[Hit]> {
    // snippet
    let found = service.resource("search", query: ["q": "a & b", "page": page], of: [Hit].self)
    // end
    return found
  }

  func file(of resource: AnyResource, in folder: URL) -> URL {
    // snippet
    let file = folder.appending(component: resource.key.digest)
    // end
    return file
  }

  // MARK: Observing

  func followTitle(of gist: Resource<Gist>) {
    // snippet
    gist.addObserver(owner: self) { [weak self] gist, _ in self?.title = gist.content?.title }
    // end
  }

  func followName(of profile: Resource<Profile>) {
    // snippet
    observation = profile.observeContent { [label] in label.text = $0?.name }
    // end
  }

  func logEvents(of gist: Resource<Gist>) async {
    // snippet
    for await event in gist.events { log("\(event)") }
    // end
  }

  func showProfiles() async {
    // snippet
    for await profile in service.resource("profile", of: Profile.self).values { show(profile) }
    // end
  }

  // MARK: Requests

  func requests(
    _ profile: Resource<Profile>, _ edited: Profile
  ) async throws -> Profile {
    // snippet
    profile.load()
      .onSuccess { entity in print(entity.content) }
      .onFailure { error in print(error.userMessage) }

    let saved = try await profile.request(.put, body: .json(edited)).value()
    // end
    return saved
  }

  struct Token: Decodable, Sendable { let token: String }

  func logIn(
    _ login: Resource<NoContent>, _ credentials: [String: String], _ profile: Resource<Profile>
  ) -> Request<Profile> {
    // snippet
    login.request(.post, body: .json(credentials), as: Token.self)
      .then { token in profile.load() }
    // end
  }

  func remove(from gists: PagedCollection<Gist>) {
    // snippet
    service.request(.delete, "gists/1").onSuccess { _ in gists.refresh() }
    // end
  }

  func create(_ draft: [String: String]) async throws -> Gist {
    // snippet
    let gist = try await service.request(.post, "gists", body: .json(draft), as: Gist.self).value()
    // end
    return gist
  }

  // MARK: Changes

  func rename(_ note: Resource<Gist>, to title: String) {
    // snippet
    let update = note.updateContent { $0.title = title }
    note.request(.patch, body: .json(["title": title]))
      .onSuccess { _ in update?.commit() }
      .onFailure { _ in update?.rollBack() }
    // end
  }

  @Values
  func star(_ gist: Resource<Gist>, in gists: PagedCollection<Gist>, id: Gist.ID) -> [String] {
    let service = service
    // snippet
    let star = Mutation<NoContent>()
    star.begin(
      gist.child("star", decoder: .noContent).request(.put),
      edits: [
        gist.updateContent { $0.isStarred = true }, gists.update(id: id) { $0.isStarred = true },
      ]
    ) { service.invalidate(matching: "gists/starred") }
    star.isPending  // sent, and not responded to yet?
    star.latestError  // the last one failed?
    // end
  }
}
