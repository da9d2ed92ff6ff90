import Foundation
import Freshet

@MainActor
struct Changing {
  struct Note: Codable, Identifiable, Sendable, Equatable {
    let id: Int
    var title: String
  }

  // snippet
  @MainActor
  final class NoteModel {
    let note: Resource<Note>
    let renaming = Mutation<NoContent>()

    init(_ note: Resource<Note>) { self.note = note }

    func rename(to title: String) {
      renaming.begin(
        note.request(.patch, body: .json(["title": title]), as: NoContent.self),
        edits: [note.updateContent { $0.title = title }])
    }
  }
  // end

  @MainActor
  final class OrderedNoteModel {
    let note: Resource<Note>
    let renaming = Mutation<NoContent>()

    init(_ note: Resource<Note>) { self.note = note }

    // snippet
    private var last: Task<Void, Never>?

    func rename(to title: String) {
      let edit = note.updateContent { $0.title = title }
      last = Task { [last] in
        await last?.value
        await renaming.begin(
          note.request(.patch, body: .json(["title": title]), as: NoContent.self), edits: [edit]
        ).completed()
      }
    }
    // end
  }

  @MainActor
  final class Renamings {
    let service: Service
    let notes: PagedCollection<Note>

    init(_ model: Changing) { (service, notes) = (model.service, model.notes) }

    // snippet
    let renamings = ItemMutations<Note.ID, NoContent>()

    func rename(_ id: Note.ID, to title: String) {
      renamings[id].begin(
        service.request(.patch, "notes/\(id)", body: .json(["title": title])),
        edits: [notes.update(id: id) { $0.title = title }])
    }
    // end
  }

  let service: Service
  let notes: PagedCollection<Note>
  let removal = Mutation<NoContent>()
  let creation = Mutation<Note>()

  init(_ service: Service) {
    self.service = service
    notes = service.pages("notes", of: Note.self, style: .linkHeader)
  }

  func save(_ draft: Note, in note: Resource<Note>) {
    // snippet
    note.load(using: note.request(.put, body: .json(draft)))
    // end
  }

  func remove(_ id: Note.ID) {
    // snippet
    removal.begin(service.request(.delete, "notes/\(id)"), edits: [notes.remove(id: id)])
    // end
  }

  func create(_ draft: [String: String]) {
    // snippet
    creation.begin(notes.firstPage.request(.post, body: .json(draft), as: Note.self)) {
      notes.refresh(.firstPage)
    }
    // end
  }

  func receive(_ note: Note) {
    // snippet
    notes.insert(note, at: 0)?.commit()
    // end
  }

  func othersHaveChanged() {
    // snippet
    service.invalidate(matching: "notes**")
    // end
  }

  func keys() {
    // snippet
    service.configure(methods: [.post, .patch]) {
      $0.retryPolicy = .standard
      $0.addIdempotencyKeys()
    }
    // end
    // snippet
    service.configure("orders", methods: [.post]) {
      $0.retryPolicy = .standard
      $0.addIdempotencyKeys()
    }
    // end
  }
}
