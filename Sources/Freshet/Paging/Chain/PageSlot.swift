/// What a page names as the next one.
enum NextPage {
  /// Nothing: the list ends here.
  case end
  /// This page.
  case page(AnyObject)
  /// A link that is not to be followed.
  indirect case refused(IncompleteWalk.Reason)

  /// Whether this is a page.
  func isPage(_ page: AnyObject) -> Bool {
    if case .page(let next) = self { next === page } else { false }
  }
}

/// The place of one loaded page in a chain. Nothing in it depends on the type of the items, so that
/// the code that moves slots need not look that type up at run time.
struct PageSlot {
  var page: AnyObject
  var next: NextPage
  /// Whether that the next page names this one as the previous one is all that says so. It holds until
  /// the page is looked at the next time.
  var isNextAssumed = false
  /// What the page holds: a ``ContentBox`` of a ``Page`` of the list's items.
  var content: AnyObject
  /// Whether it names a page before it: kept beside it, because to look into generic content takes
  /// longer than all else that is asked of a slot.
  var hasPrevious = false
  /// What is known of the identities of the items; nil where the list has no identity.
  var identities: ItemIdentities?

  var id: ObjectIdentifier { ObjectIdentifier(page) }
}

/// The identities of a page's items, and which of them the page shows.
struct ItemIdentities {
  var ids: [AnyHashable?]
  /// Which items are hidden, because another page shows them or the page repeats them; empty for none.
  var isHidden: [Bool] = []
  /// When the page was received or confirmed, as a number that grows.
  var sequence: Int

  /// How many items are hidden.
  var hiddenCount: Int { isHidden.count { $0 } }

  func isHidden(_ item: Int) -> Bool { !isHidden.isEmpty && isHidden[item] }
}
