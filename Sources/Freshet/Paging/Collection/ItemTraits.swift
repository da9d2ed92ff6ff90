/// How items of a list are compared: by equality, and by identity.
struct ItemTraits<Item> {
  /// Whether two items are equal; nil if that is unknown.
  var areEqual: ((Item, Item) -> Bool)?
  /// The identity of an item; nil if each copy is shown.
  var id: ((Item) -> AnyHashable?)?
  /// The type of the identities.
  var idType: (any Hashable.Type)?
  /// Which one of several copies is shown.
  var choice = ItemChoice.first
}

extension ItemTraits where Item: Sendable {
  /// The traits of items with an identity: equality for items that are `Equatable`, and for the automatic
  /// identity the `id` of items that are `Identifiable`.
  init(_ identity: ItemIdentity<Item>?) {
    if let type = Item.self as? any Equatable.Type { areEqual = Self.equality(of: type) }
    guard let identity else { return }
    choice = identity.choice
    if let type = identity.type {
      (id, idType) = (identity.id, type)
    } else if let type = Item.self as? any Identifiable.Type, let known = Self.identity(of: type) {
      (id, idType) = (known.id, known.idType)
    }
  }

  // The closures know the type that conforms, and a dynamic cast needs something that names the type: other traits.

  private static func equality<Other: Equatable>(of type: Other.Type) -> ((Item, Item) -> Bool)? {
    (ItemTraits<Other>(areEqual: ==) as? ItemTraits)?.areEqual
  }

  private static func identity<Other: Identifiable>(of type: Other.Type) -> ItemTraits? {
    ItemTraits<Other>(id: { AnyHashable($0.id) }, idType: Other.ID.self) as? ItemTraits
  }
}
