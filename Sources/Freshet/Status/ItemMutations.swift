/// The mutations of the items of a list, by item id: `renamings[id]`.
///
/// Each item has a ``Mutation`` of its own, so that one row shows that its change is pending, or has failed, and the
/// others do not:
///
/// ```swift
/// let renamings = ItemMutations<Note.ID, NoContent>()
///
/// func rename(_ id: Note.ID, to title: String) {
///   renamings[id].begin(
///     service.request(.patch, "notes/\(id)", body: .json(["title": title])),
///     edits: [notes.update(id: id) { $0.title = title }])
/// }
/// ```
///
/// A mutation is made at the first access, and kept: from then on, its id has the same one. At a log-out, make new
/// mutations, because these have the errors and the responses of the previous user. They belong to the actor of the
/// service.
public final class ItemMutations<ID: Hashable, Content: Sendable> {
  private var mutations: [ID: Mutation<Content>] = [:]

  /// Creates mutations that have no change yet.
  public init() {}

  /// The mutation of an item.
  ///
  /// - Complexity: O(1).
  public subscript(id: ID) -> Mutation<Content> {
    if let known = mutations[id] { return known }
    let made = Mutation<Content>()
    mutations[id] = made
    return made
  }
}

extension ItemMutations: SecretHolding {}
