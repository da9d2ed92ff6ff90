/// The content of a page, as far as the chain and the walk depend on it.
///
/// Nothing in it, nor in the types that use it, depends on the type of the items: code for items of any
/// type looks that type up at run time, which takes longer than most decisions about a page.
struct LoadedPage {
  /// A ``ContentBox`` of a ``Page`` of the list's items.
  let content: AnyObject
  let itemCount: Int
  /// The identities of the items; nil if the list has no identity.
  let ids: [AnyHashable?]?
  /// The next page.
  var next: NextPage
  /// Whether it names a page before it.
  var hasPreviousPage = false
  /// Whether the list ends here when the next page does not exist.
  var endsAtNotFound = false
  /// How the items compare to those that the chain has of the page.
  var comparison = Comparison.different

  /// How two versions of a page's items compare.
  enum Comparison {
    /// The same array, as where the server has confirmed the page with other header fields.
    case same
    /// Other items, which are equal. Detected in a refresh of the first page only.
    case equal
    case different
  }
}

/// The next page of a page.
enum NextPage {
  /// Nothing: the list ends here.
  case end
  /// This page.
  case page(AnyObject)
  /// A link that must not be followed.
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
  /// Whether the next page is known only because it names this one as its previous page. True until
  /// the page is visited the next time.
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

  /// The index in the page of the item shown at an offset; the page's item count or more for an
  /// offset past the shown items.
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
