extension Sequence<Unicode.Scalar> {
  /// Text from a server, safe to print on a line of a terminal: with spaces for control characters,
  /// line breaks, and characters that change the direction in which the text around them is shown.
  package var onOneLine: String.UnicodeScalarView {
    String.UnicodeScalarView(map { $0.breaksLine || $0.changesDirection ? " " : $0 })
  }
}

extension String {
  /// The start of a text from a server, as a message shows it: at most 200 characters, on one line.
  package var excerpt: String {
    String(unicodeScalars.prefix(200).onOneLine)
      + (unicodeScalars.dropFirst(200).isEmpty ? "" : "…")
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLine: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Whether it changes the direction in which the text around it is shown.
  package var changesDirection: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
