/// The identity of list items, which is used to show each item only once.
///
/// ```swift
/// var options = PagedCollection<Row>.Options()
/// options.identity = ItemIdentity { $0.key }  // nil: each copy is shown
/// ```
///
/// A server whose list grows at the top while its pages are requested by number or offset sends the
/// same item with two pages. One of several copies is shown; the others are counted in
/// ``PagedCollection/duplicateCount``, and the next of them is shown when that one is removed.
public struct ItemIdentity<Item: Sendable>: Sendable {
  /// Which one of several copies is shown.
  package let choice: ItemChoice
  let id: @Sendable (Item) -> AnyHashable?
  /// The type of the identities; nil for the items' own `id`, if they have one.
  let type: (any (Hashable & Sendable).Type)?

  /// Creates an identity.
  ///
  /// - Parameters:
  ///   - choice: which one of several copies is shown.
  ///   - id: the identity of an item; an item whose identity is nil equals no other.
  public init<ID: Hashable & Sendable>(
    showing choice: ItemChoice = .first, _ id: @escaping @Sendable (Item) -> ID?
  ) {
    self.choice = choice
    self.id = { item in id(item).map(AnyHashable.init) }
    type = ID.self
  }

  private init(automaticShowing choice: ItemChoice) {
    self.choice = choice
    id = { _ in nil }
    type = nil
  }

  /// The `id` of items that are `Identifiable`; other items have no identity, and each copy is shown.
  public static var automatic: ItemIdentity { ItemIdentity(automaticShowing: .first) }

  /// Returns the identity that is the `id` of `Identifiable` items, and shows the chosen one of several copies.
  ///
  /// Other items have no identity, and each copy is shown.
  public static func automatic(showing choice: ItemChoice) -> ItemIdentity {
    ItemIdentity(automaticShowing: choice)
  }
}

extension ItemIdentity where Item: Identifiable, Item.ID: Sendable {
  /// The item's own `id`, as with ``automatic``.
  ///
  /// It compiles only for `Identifiable` items, so a missing conformance is an error, and not a list that
  /// shows duplicates.
  public static var id: ItemIdentity { ItemIdentity { $0.id } }
}

/// The rules for choosing among several copies of an item. The copy that is shown keeps its place.
public enum ItemChoice: Sendable, Hashable {
  /// The copy on the earliest page of the list.
  case first
  /// The copy that the server sent or confirmed last.
  case newest
}
