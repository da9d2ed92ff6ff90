/// What the view shows beside its own state, as text from the list.
struct ListContent {
  /// Where the list is from.
  var title = ""
  /// The text of an item.
  var text: (_ item: Int) -> String = { _ in "" }
  /// The state of a page, counted from 0.
  var pageState: (_ page: Int) -> ListModel.PageState? = { _ in nil }
  /// The state at the end of the list.
  var end = EndOfList(text: "")
  /// What the list is doing, and when the list was updated.
  var status = ""
  /// Whether the status reports a failure.
  var isFailed = false
  /// The newest events, the last one at the end.
  var events: [String] = []
  /// How many rows of the list were drawn since the last key.
  var repaintedCount = 0
}
