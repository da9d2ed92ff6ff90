/// A page that the server has said does not exist, after the last page of a list: and what made that the end.
struct AbsentPage: Equatable {
  /// The page that does not exist.
  let id: ObjectIdentifier
  /// The last page, which names it.
  let last: ObjectIdentifier
  /// How many items the server had sent in the last page.
  let receivedCount: Int
  /// What ends the list after the last page.
  let end: ListEnd
}

extension PageList {
  /// The page after the last one, if it does not exist, with what of the list makes that the end.
  func absent(_ page: AnyResource?) -> AbsentPage? {
    guard let page, chain.linkedCount > 0 else { return nil }
    let last = chain.slots.inOrder[chain.linkedCount - 1]
    return AbsentPage(
      id: page.id, last: last.id, receivedCount: last.loaded.receivedCount,
      end: last.loaded.end)
  }
}
