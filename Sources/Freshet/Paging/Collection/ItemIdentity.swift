/// What makes an item of a list the same as another, so that no item is shown twice.
///
/// ```swift
/// var options = PagedCollection<Gist>.Options()
/// options.identity = ItemIdentity { $0.id }
/// ```
///
/// A server whose list grows at the top while its pages are fetched by number or offset sends the same
/// item with two pages. Of several copies one is shown; the others are counted in
/// ``PagedCollection/duplicateCount``, and the next of them is shown when that one goes.
public struct ItemIdentity<Item: Sendable>: Sendable {
  /// Which one of several copies is shown.
  public let choice: ItemChoice
  let id: @Sendable (Item) -> AnyHashable?

  /// Makes an identity.
  ///
  /// - Parameters:
  ///   - choice: which one of several copies is shown.
  ///   - id: the identity of an item; an item without one is never taken for another.
  public init<ID: Hashable & Sendable>(
    showing choice: ItemChoice = .first, _ id: @escaping @Sendable (Item) -> ID?
  ) {
    self.choice = choice
    self.id = { item in id(item).map(AnyHashable.init) }
  }
}

extension ItemIdentity where Item: Identifiable, Item.ID: Sendable {
  /// The item's own `id`.
  public static var own: ItemIdentity { ItemIdentity { $0.id } }
}

extension ItemIdentity {
  /// Takes each identity once.
  func once(_ items: [Item]) -> (items: [Item], ids: [AnyHashable?]) {
    let ids = items.map(id)
    var seen: Set<AnyHashable> = []
    let isRepeated = ids.map { id in id.map { !seen.insert($0).inserted } ?? false }
    guard isRepeated.contains(true) else { return (items, ids) }
    return (
      zip(items, isRepeated).filter { !$0.1 }.map(\.0),
      zip(ids, isRepeated).filter { !$0.1 }.map(\.0)
    )
  }
}

/// Which one of several copies of an item is shown, at its own place.
public enum ItemChoice: Sendable, Hashable {
  /// The one that comes first in chain order.
  case first
  /// The one that the server sent or confirmed last.
  case newest
}
