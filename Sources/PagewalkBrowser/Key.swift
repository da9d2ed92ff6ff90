/// A key that was pressed.
enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter together with the control key, in lower case.
  case control(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, backspace, tab
}
