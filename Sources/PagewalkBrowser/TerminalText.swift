/// Text that a terminal shows on one line, and nothing else: it holds no control sequence, and never
/// fills more cells than its width.
///
/// Control characters become visible pictures of themselves, so that text from a server can neither
/// move the cursor nor change the terminal. Characters that are invisible or that reorder a line are
/// left out.
struct TerminalText: Equatable {
  /// The text as it is sent to the terminal.
  let string: String
  /// The most cells that a terminal fills with it. A terminal that joins scalars to one emoji fills
  /// fewer.
  let width: Int

  /// - Parameters:
  ///   - text: any text.
  ///   - limit: the most cells. Longer text ends in `…`.
  init(_ text: some StringProtocol, limit: Int = .max) {
    var builder = Builder()
    // What fits together with the ellipsis, should the text turn out to be too long.
    var (fittingCount, fittingWidth) = (0, 0)
    for scalar in text.unicodeScalars {
      builder.append(scalar)
      if builder.width > limit { break }
      if builder.width < limit {
        (fittingCount, fittingWidth) = (builder.scalars.count, builder.width)
      }
    }
    if builder.width > limit {
      builder.scalars.removeLast(builder.scalars.count - fittingCount)
      if builder.scalars.last == TerminalText.joiner { builder.scalars.removeLast() }
      builder.width = fittingWidth
      if limit > 0 { builder.append("…") }
    }
    string = String(String.UnicodeScalarView(builder.scalars))
    width = builder.width
  }

  /// Joins emoji, and letters.
  private static let joiner: Unicode.Scalar = "\u{200D}"

  private struct Builder {
    var scalars: [Unicode.Scalar] = []
    var width = 0
    /// The width of the last scalar that has one.
    private var lastWidth = 0
    /// How many scalars without a width follow that one.
    private var markCount = 0

    /// The most marks on one character: more would grow into the lines above and below.
    private static let markLimit = 4

    mutating func append(_ scalar: Unicode.Scalar) {
      guard let scalar = TerminalText.visible(scalar) else { return }
      let width = TerminalText.width(of: scalar)
      if width == 0 {
        // A mark belongs to a character.
        guard lastWidth > 0, markCount < Builder.markLimit else { return }
        markCount += 1
        // The variant as an emoji is wide.
        if scalar == "\u{FE0F}", lastWidth == 1 {
          lastWidth = 2
          self.width += 1
        }
      } else {
        (lastWidth, markCount) = (width, 0)
        self.width += width
      }
      scalars.append(scalar)
    }
  }
}

extension TerminalText {
  /// The scalar that is shown for one; nil for nothing.
  static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value)
    case 0x20..<0x7F: return scalar
    case 0x7F: return "\u{2421}"
    case joiner.value: return scalar
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .surrogate, .unassigned: return "\u{FFFD}"
    case .lineSeparator, .paragraphSeparator, .spaceSeparator: return " "
    case .format: return nil
    default: return scalar
    }
  }

  /// The most cells that a terminal fills with a scalar, without regard to what is beside it.
  static func width(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // Vowels and final consonants of Hangul that is not composed.
    if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) {
      return 0
    }
    return isWide(scalar) ? 2 : 1
  }

  /// Whether it is wide or full width, Unicode Standard Annex 11, or an emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmojiPresentation || scalar.properties.isEmojiModifier { return true }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376,
      0x1F000...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
