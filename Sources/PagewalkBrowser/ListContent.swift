/// The content of the list that the view shows beside its own state, as text.
struct ListContent {
  /// The URL of the list.
  var title = ""
  /// The text of an item.
  var text: (_ item: Int) -> String = { _ in "" }
  /// The state of a page, counted from 0.
  var pageState: (_ page: Int) -> ListModel.PageState? = { _ in nil }
  /// The state at the end of the list.
  var end = EndOfList(text: "")
  /// The state of the list in words, and the time of its last update.
  var status = ""
  /// Whether the status reports a failure.
  var isFailed = false
  /// The newest events, the last one at the end.
  var events: [String] = []
  /// How many rows of the list were drawn since the last key.
  var repaintedCount = 0
}
