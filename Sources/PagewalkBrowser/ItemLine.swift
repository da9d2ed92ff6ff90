import Freshet

/// An item on one line, for people.
public enum ItemLine {
  /// The values of an object's members, strings without quotes; any other value as it is.
  public static func text(_ item: JSONText) -> String {
    guard let members = item.members else { return item.string ?? item.compact.description }
    var texts: [String] = []
    for member in members where member.value.kind != .null {
      let value = member.value
      let text = value.string ?? value.compact.description
      if !text.isEmpty { texts.append(text) }
    }
    return texts.joined(separator: " · ")
  }
}
