/// The name of a member, for comparison with the usual ones, however a server writes them.
struct MemberName: Sendable {
  /// The name as it is written.
  let text: String
  /// The letters and digits of the name in lower case: the same for `totalCount`, `total_count` and
  /// `Total-Count`.
  let joined: String

  init(_ text: String) {
    self.text = text
    joined = text.withoutSeparators
  }

  /// The words of the name, as `total` and `count`.
  var words: [String] { text.words }

  /// Whether this is a usual name for how many items a page may have.
  var isPageSize: Bool { Self.pageSizes.contains(joined) || joined.hasSuffix("perpage") }

  private static let pageSizes: Set = [
    "limit", "pagelimit", "pagesize", "pagelen", "maxresults", "maxitems", "top", "take", "rows",
    "size",
  ]
}

extension JSONText {
  /// The members of an object in order, with their names for comparison; none for any other kind.
  var namedMembers: [(name: MemberName, value: JSONText)] {
    (members ?? []).map { (MemberName($0.name), $0.value) }
  }
}
