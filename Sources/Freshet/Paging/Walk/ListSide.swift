/// The sides of a list.
enum ListSide {
  case start
  case end
}

/// A value for each side of a list.
struct ListSides<Value> {
  var start: Value
  var end: Value

  subscript(side: ListSide) -> Value {
    get { side == .end ? end : start }
    set { if side == .end { end = newValue } else { start = newValue } }
  }
}
