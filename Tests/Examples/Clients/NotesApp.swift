import Freshet

struct Note: Codable, Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
}

/// A list and its detail, for a user who signs in.
@MainActor
final class NotesApp {
  private let service: Service
  private let tokens: TokenAuthorizer
  let notes: PagedCollection<Note>
  private let details: ItemDetails<Note, Note>
  let renamings = ItemMutations<Note.ID, NoContent>()
  private(set) var selected: Resource<Note>?

  init(
    transport: any Transport = SystemTransport(), clock: any StoreClock = .system
  ) {
    service = Service(baseURL: "https://notes.example.com", transport: transport, clock: clock)
    // Nothing renews this token: when the server refuses it, the user has to sign in again.
    let tokens = TokenAuthorizer(signedInWith: nil)
    self.tokens = tokens
    service.configure { $0.authorizer = tokens }
    service.configure("session") { $0.authorizer = nil }
    notes = service.pages("notes", of: Note.self, style: .linkHeader)
    details = notes.details { [service] id in service.resource("notes/\(id)", of: Note.self) }
  }

  var needsSignIn: Bool { notes.latestError?.kind == .authorization }
  var status: ResourceStatus { ResourceStatus(of: [notes] + [selected].compactMap(\.self)) }

  func signIn(_ name: String, _ password: String) async throws {
    let session = service.resource("session", of: String.self)
    let form = RequestBody.form([("name", name), ("password", password)])
    await tokens.signIn(with: try await session.request(.post, body: form).value())
    notes.refresh()
  }

  func signOut() async {
    selected = nil
    await tokens.signOut()
    service.wipe()
    notes.reset()
  }

  func select(_ note: Note) {
    selected = details[note.id]
    selected?.loadIfNeeded()
  }

  func rename(_ id: Note.ID, to title: String) {
    let note = details[id]
    renamings[id].begin(
      note.request(.patch, body: .json(["title": title]), as: NoContent.self),
      edits: [note.updateContent { $0.title = title }])
  }
}
