/// The content of a terminal, row by row: a pure value.
struct Screen: Equatable {
  /// How text is shown.
  enum Style: String {
    case plain = "0"
    case dim = "2"
    case bold = "1"
    case reversed = "7"
    case warning = "31"
  }

  /// One row: texts from left to right, which fill at most the width of the screen.
  struct Row: Equatable {
    private(set) var texts: [(text: TerminalText, style: Style)] = []
    private(set) var room: Int

    init(width: Int) {
      room = width
    }

    /// Appends a text, as far as it fits.
    mutating func append(_ text: some StringProtocol, _ style: Style = .plain) {
      let text = TerminalText(text, limit: room)
      room -= text.width
      if text.width > 0 { texts.append((text, style)) }
    }

    /// Fills the row up to its end, except for a number of cells.
    mutating func fill(leaving rest: Int = 0, _ style: Style = .plain) {
      if room > rest { append(String(repeating: " ", count: room - rest), style) }
    }

    /// The text without styles.
    var string: String { texts.map(\.text.string).joined() }

    static func == (left: Row, right: Row) -> Bool {
      left.room == right.room && left.texts.elementsEqual(right.texts) { $0 == $1 }
    }
  }

  let size: TerminalSize
  /// As many as the screen is high.
  let rows: [Row]

  /// - Parameter rows: from the top. Those that are missing are empty, those below the screen are left
  ///   out.
  init(_ size: TerminalSize, _ rows: [Row]) {
    self.size = size
    let missing = max(0, size.rows - rows.count)
    self.rows =
      Array(rows.prefix(size.rows))
      + Array(repeating: Row(width: size.columns), count: missing)
  }
}

/// The size of a terminal in cells.
struct TerminalSize: Equatable {
  var columns: Int
  var rows: Int
}
