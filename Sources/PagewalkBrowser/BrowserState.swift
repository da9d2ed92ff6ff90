import Freshet

/// The state of the browser's view: which rows are on screen, and what the keys mean.
///
/// A pure value: keys and changes of the list go in, actions for the list come out. Items are counted
/// by their index in the list, rows by what the filter leaves of it.
struct BrowserState {
  /// The use of the keys.
  enum Mode: Equatable {
    case list
    /// A filter is being typed.
    case prompt
    case help
  }

  /// An action that a key asks for.
  enum Action: Equatable {
    case quit(Browser.End)
    case suspend
    /// Draw all of the screen again.
    case redraw
    case refresh
    case retry
    case loadMore
    /// Load the pages up to that one, counted from 0.
    case loadPages(through: Int)
    /// The filter has changed: ``BrowserState/show(_:)`` the items that match it.
    case filter
    case demo(DemoAction)
  }

  var size: TerminalSize { didSet { reveal() } }
  /// How many rows are for items.
  var height: Int { max(1, layout.list.count) }
  let isDemo: Bool
  private(set) var mode = Mode.list
  private(set) var itemCount = 0
  /// The index of the first item of each page.
  var pageStarts: [Int] = []
  /// The index of the selected item; 0 in an empty list.
  private(set) var selection = 0
  /// The identity of the item that was selected until it was removed; nil when another one is chosen.
  private var lost: JSONText?
  /// The first row on screen.
  private(set) var top = 0
  private(set) var filter = ""
  /// The rows that the filter leaves; nil without a filter.
  private(set) var rows: FilteredRows?
  /// The digits of a page number, or nothing.
  private(set) var number = ""
  /// The page to which to jump when it is loaded, counted from 1.
  private(set) var awaitedPage: Int?
  private(set) var showsEvents = false

  init(size: TerminalSize, isDemo: Bool) {
    self.size = size
    self.isDemo = isDemo
  }

  // MARK: Rows

  var rowCount: Int { rows?.items.count ?? itemCount }

  /// The row of the selected item.
  var selectedRow: Int { row(ofItem: selection) }

  /// The item of a row; nil beyond the last one.
  func item(ofRow row: Int) -> Int? {
    guard row < rowCount else { return nil }
    return rows?.items[row] ?? row
  }

  private func row(ofItem index: Int) -> Int { rows?.row(ofItem: index) ?? index }

  /// The items on screen; nil if there are none.
  var visibleItems: Range<Int>? {
    guard let first = item(ofRow: top) else { return nil }
    let last = item(ofRow: min(top + height, rowCount) - 1) ?? first
    return first..<(last + 1)
  }

  /// The page of an item, counted from 0.
  ///
  /// - Complexity: O(log *p*) in the pages.
  func page(ofItem index: Int) -> Int {
    var range = 0..<pageStarts.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        pageStarts[middle] <= index ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return max(0, range.lowerBound - 1)
  }

  private mutating func select(row: Int) {
    selection = item(ofRow: max(0, min(row, rowCount - 1))) ?? 0
    reveal()
  }

  /// Scrolls as little as needed to have the selected row on screen. Below the last row there is
  /// one more, for the state of the list.
  private mutating func reveal() {
    let row = selectedRow
    let last = row >= rowCount - 1 ? row + 1 : row
    top = max(min(top, row), last - height + 1)
    top = max(0, min(top, row, rowCount + 1 - height))
  }

  // MARK: Changes of the list

  /// Follows a change of the list: the selected item stays where it is on screen.
  mutating func listChanged(
    _ change: PagedChange<JSONText>?, itemCount: Int,
    identity: (JSONText) -> JSONText, isShown: (JSONText) -> Bool
  ) {
    let offset = selectedRow - top
    // In an empty list there is nothing to follow: the first item is selected.
    let following =
      self.itemCount > 0
      ? change?.index(following: selection, lost: &lost, identity: identity) : nil
    if let change { rows?.apply(change, where: isShown) }
    self.itemCount = itemCount
    let row = row(ofItem: following ?? selection)
    top = max(0, row - offset)
    select(row: row)
  }

  /// Shows the rows of a filter, or all if there is none.
  mutating func show(_ rows: FilteredRows?) {
    self.rows = rows
    select(row: row(ofItem: selection))
  }

  /// Jumps to the page that was asked for, as soon as it is loaded.
  ///
  /// - Parameter isLoading: whether pages are loading. If none is, the last one is all there is.
  mutating func jumpIfLoaded(isLoading: Bool) {
    guard let awaitedPage, pageStarts.count >= awaitedPage || !isLoading else { return }
    self.awaitedPage = nil
    jump(toPage: min(awaitedPage, pageStarts.count))
  }

  private mutating func jump(toPage page: Int) {
    lost = nil
    guard page > 0, pageStarts.indices.contains(page - 1) else { return }
    let row = row(ofItem: pageStarts[page - 1])
    top = row
    select(row: row)
  }

  // MARK: Keys

  /// Performs what a key is for.
  mutating func press(_ key: Key) -> Action? {
    switch key {
    case .control("c"): return .quit(.interrupted)
    case .control("z"): return .suspend
    case .control("l"): return .redraw
    default: break
    }
    switch mode {
    case .help:
      mode = .list
      return nil
    case .prompt: return pressInPrompt(key)
    case .list: return pressInList(key)
    }
  }

  private mutating func pressInPrompt(_ key: Key) -> Action? {
    switch key {
    case .enter: mode = .list
    case .escape:
      mode = .list
      filter = ""
    case .backspace:
      if filter.isEmpty { mode = .list } else { filter.removeLast() }
    case .character(let character): filter.append(character)
    default: return nil
    }
    return .filter
  }

  private mutating func pressInList(_ key: Key) -> Action? {
    if case .character(let digit) = key, ("0"..."9").contains(digit) {
      if number.count < 9 { number.append(digit) }
      return nil
    }
    let typed = Int(number)
    number = ""
    // Any key ends the wait for a page.
    awaitedPage = nil
    switch key {
    case .down, .character("j"), .up, .character("k"), .pageDown, .pageUp, .character(" "), .home,
      .end, .character("g"), .character("G"):
      return move(key)
    case .enter:
      guard let typed else { return .retry }
      awaitedPage = max(1, typed)
      return .loadPages(through: max(1, typed) - 1)
    case .escape:
      guard !filter.isEmpty else { return nil }
      filter = ""
      return .filter
    case .character("/"):
      mode = .prompt
      return nil
    case .character("?"): mode = .help
    case .character("e"):
      showsEvents.toggle()
      reveal()
    case .character("q"): return .quit(.complete)
    case .character("r"): return .refresh
    case .character("R"): return .retry
    case .character(let letter) where isDemo: return DemoAction(rawValue: letter).map(Action.demo)
    default: break
    }
    return nil
  }

  private mutating func move(_ key: Key) -> Action? {
    lost = nil
    let last = rowCount - 1
    let isAtEnd = selectedRow >= last
    switch key {
    case .up, .character("k"): select(row: selectedRow - 1)
    case .pageUp: scroll(by: -max(1, height - 1))
    case .pageDown, .character(" "): scroll(by: max(1, height - 1))
    case .home, .character("g"): select(row: 0)
    case .end, .character("G"): select(row: last)
    default: select(row: selectedRow + 1)
    }
    // What a filter hides is loaded only if the user asks for more: it may match nothing.
    let isDownward = [.down, .character("j"), .pageDown, .character(" "), .end, .character("G")]
      .contains(key)
    return rows != nil && isAtEnd && isDownward ? .loadMore : nil
  }

  private mutating func scroll(by distance: Int) {
    top += distance
    let row = selectedRow + distance
    top = max(0, min(top, rowCount + 1 - height))
    select(row: row)
  }
}
