/// What a page of a list holds, as far as the chain and the walk depend on it.
///
/// Nothing in it, nor in the types that use it, depends on the type of the items: code for items of any
/// type looks that type up at run time, which takes longer than most decisions about a page.
struct LoadedPage {
  /// A ``ContentBox`` of a ``Page`` of the list's items.
  let content: AnyObject
  let itemCount: Int
  /// The identities of the items; nil where the list has no identity.
  let ids: [AnyHashable?]?
  /// What it names as the next page.
  var next: NextPage
  /// Whether it names a page before it.
  var hasPreviousPage = false
  /// Whether the list ends here when the next page does not exist.
  var endsAtNotFound = false
  /// How its items compare to those that the chain has of the page.
  var comparison = Comparison.different

  /// How the items of a page compare to others of it.
  enum Comparison {
    /// They are the very ones, as where the server has confirmed the page with other header fields.
    case same
    /// They are others that are equal. Found out in a refresh of the first page only.
    case equal
    case different
  }
}

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

/// One loaded page of a chain, and what it shows.
struct PageSlot {
  var page: AnyObject
  var loaded: LoadedPage
  /// Whether that the next page names this one as the previous one is all that says what the next page
  /// is. It holds until the page is looked at the next time.
  var isNextAssumed = false
  /// Which items are hidden, because another page shows them or the page repeats them; empty for none.
  var isHidden: [Bool] = []
  /// When the page was received or confirmed, as a number that grows.
  var sequence = 0

  var id: ObjectIdentifier { ObjectIdentifier(page) }

  /// How many items are hidden.
  var hiddenCount: Int { isHidden.isEmpty ? 0 : isHidden.count { $0 } }

  /// Whether an item is hidden.
  func hides(_ item: Int) -> Bool { !isHidden.isEmpty && isHidden[item] }

  /// Which item of the page is shown at an offset; past its items for an offset past those shown.
  ///
  /// - Complexity: O(1) where none is hidden, otherwise O(*m*) in the items of the page.
  func itemIndex(shownAt offset: Int) -> Int {
    guard !isHidden.isEmpty else { return offset }
    return isHidden.indices.lazy.filter { !isHidden[$0] }.dropFirst(offset).first ?? isHidden.count
  }

  /// The items that are shown.
  var shown: ItemRun {
    ItemRun(content: loaded.content, range: 0..<loaded.itemCount, isHidden: isHidden)
  }
}
