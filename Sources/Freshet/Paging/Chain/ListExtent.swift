/// How far the linked pages of a list reach.
struct ListExtent {
  /// How many items they show.
  var itemCount: Int
  /// The index after the last of these, counted as ``PageChain/firstItemIndex`` counts them.
  var itemEnd: Int
  /// The index after the last page, counted as ``PageChain/firstPageIndex`` counts them.
  var pageEnd: Int
}

extension PageChain {
  /// How far the linked pages reach.
  var linkedExtent: ListExtent {
    let count = linkedItemCount
    return ListExtent(
      itemCount: count, itemEnd: firstItemIndex + count, pageEnd: firstPageIndex + linkedCount)
  }
}
