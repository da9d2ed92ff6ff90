/// A page of a list that has content: that content, as far as the chain and the walk depend on it, and what the chain
/// shows of it.
///
/// Nothing in it, nor in the types that use it, depends on the type of the items: what decides about pages is written
/// and compiled once, and not for items of any type.
struct LoadedPage {
  /// The resource of the page.
  let page: AnyObject
  /// A ``ContentBox`` of a ``Page`` of the list's items.
  let content: AnyObject
  let itemCount: Int
  /// The identities of the items; nil if the list has no identity.
  let ids: [AnyHashable?]?
  var next: NextPage
  /// Whether it names a page before it.
  var hasPreviousPage = false
  /// What ends the list here if the server refuses the next page.
  var end = ListEnd()
  /// How many of the items optimistic edits have added, minus those that they have removed.
  var editedCount = 0
  /// The load that brought or confirmed it.
  var load: ResourceState.LoadID = 0
  /// The newest load that has changed the page, or has brought it to the list; 0 if all pages are known to be
  /// of one state.
  var changingLoad: ResourceState.LoadID = 0
  /// How the items compare to those that the chain has of the page.
  var comparison = Comparison.different

  // Of its place in a chain, which alone sets them.

  /// Whether the next page is known only because it names this one as its previous page. True until
  /// the page is visited the next time.
  var isNextAssumed = false
  /// Which items are hidden, because another page shows them or the page repeats them; nil for none.
  var isHidden: [Bool]?
  /// When the page was received or confirmed, as a number that grows.
  var sequence = 0
  /// The index after the last of its items in the merged array: the number of items up to there.
  var itemsEnd = 0

  var id: ObjectIdentifier { ObjectIdentifier(page) }

  /// How many items the server has sent; its totals count those.
  var receivedCount: Int { itemCount - editedCount }

  /// How two versions of a page's items compare.
  enum Comparison {
    /// The same array, for example if the server has confirmed the page with other header fields.
    case same
    /// Other items, which are equal.
    case equal
    /// Other items because of a local write: the server has sent no others.
    case edited
    case different
  }
}

extension LoadedPage {
  var hiddenCount: Int { isHidden?.count { $0 } ?? 0 }

  func hides(_ item: Int) -> Bool { isHidden?[item] ?? false }

  /// The index in the page of the item shown at an offset; the page's item count or more for an
  /// offset past the shown items.
  ///
  /// - Complexity: O(1) where none is hidden, otherwise O(*m*) in the items of the page.
  func itemIndex(shownAt offset: Int) -> Int {
    guard let isHidden else { return offset }
    return isHidden.indices.lazy.filter { !isHidden[$0] }.dropFirst(offset).first ?? isHidden.count
  }

  var shown: ItemRun { ItemRun(content: content, range: 0..<itemCount, isHidden: isHidden) }

  /// Puts another page, or other content of the same page, in the place of this one.
  mutating func replace(by page: LoadedPage) {
    let place = (isHidden, sequence, itemsEnd)
    self = page
    (isHidden, sequence, itemsEnd) = place
  }
}

enum NextPage {
  /// Nothing: the list ends here.
  case end
  /// This page.
  case page(AnyObject)
  /// A link that must not be followed.
  indirect case refused(IncompleteWalk.Reason)

  /// Whether the page leads where another one does.
  func leads(as other: NextPage) -> Bool {
    switch (self, other) {
    case (.end, .end): true
    case (.page(let next), _): other.isPage(next)
    case (.refused(let reason), .refused(let older)): reason == older
    default: false
    }
  }

  func isPage(_ page: AnyObject) -> Bool {
    if case .page(let next) = self { next === page } else { false }
  }
}
