/// Why a page that is taken for the whole list may not be it.
package enum PresumedEnd: Sendable, Hashable, CustomStringConvertible {
  /// The body is an array, and no header field speaks of pages.
  case bareArray
  /// No member of the body speaks of pages.
  case object
  /// The number at that location is larger than that of the items.
  case count(Int, at: String)

  /// What was found and assumed.
  package var description: String {
    switch self {
    case .bareArray:
      "the response is a bare array with no sign of a next page, so it is taken for the whole list"
    case .object:
      "the response has no sign of a next page, and none of the end, so it is taken for the whole list"
    case .count(let number, let location):
      "the response has no sign of a next page, so it is taken for the whole list, although "
        + "'\(location.excerpt)' is \(number)"
    }
  }
}
