/// Why a page that is taken for the whole list may not be it.
package enum PresumedEnd: Sendable, Hashable, CustomStringConvertible {
  /// The body is an array, and no header field speaks of pages.
  case bareArray
  /// No member of the body speaks of pages.
  case object
  /// The list at that path is empty, and the array at the other one has objects.
  case empty(JSONPath, beside: JSONPath)
  /// The items were found at that path under no usual name, and the list at the other one is empty.
  case found(JSONPath, besideEmpty: JSONPath)
  /// The chosen style names no next page, and ``PageStyle/auto`` recognizes the style of that name, or a sign
  /// of more at that location.
  case overlooked(String, isStyle: Bool)
  /// The number at that location is larger than that of the items.
  case count(Int, at: String)

  var advice: String {
    switch self {
    case .empty: "if that is the list, name its path with PageStyle.items(at:)"
    case .found:
      "if that is the list, name its path with PageStyle.items(at:); if there is more, name another PageStyle"
    case .bareArray, .object, .overlooked, .count:
      "if there is more, name another PageStyle, or PageStyle.single if this is all"
    }
  }

  package var description: String {
    switch self {
    case .bareArray:
      "the response is a bare array with no sign of a next page, so it is taken for the whole list"
    case .object:
      "the response has no sign of a next page, and none of the end, so it is taken for the whole list"
    case .empty(let path, let other):
      "the list at '\("\(path)".excerpt)' is empty, and '\("\(other)".excerpt)' beside it is not"
    case .found(let path, let other):
      "the items are those of '\("\(path)".excerpt)', and '\("\(other)".excerpt)' beside it is empty"
    case .overlooked(let name, isStyle: true):
      "the chosen style finds no next page, where the style '\(name.excerpt)' finds one"
    case .overlooked(let location, isStyle: false):
      "the chosen style finds no next page, although '\(location.excerpt)' says that there is more"
    case .count(let number, let location):
      "the response has no sign of a next page, so it is taken for the whole list, although "
        + "'\(location.excerpt)' is \(number)"
    }
  }
}
