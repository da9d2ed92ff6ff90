import Testing

@testable import PagewalkBrowser

@Suite("Text for a terminal")
struct TerminalTextTests {
  @Test("Control characters become visible, and none reaches the terminal")
  func controlCharacters() {
    #expect(TerminalText("a\u{1B}[31mb").string == "a␛[31mb")
    #expect(TerminalText("1\n2\r3\t4\u{7F}").string == "1␊2␍3␉4␡")
    // The control characters of eight bits, of which U+009B begins a sequence too.
    #expect(TerminalText("\u{9B}31m").string == "\u{FFFD}31m")
    #expect(TerminalText("a\u{2028}b\u{A0}c").string == "a b c")
  }

  @Test("Characters that reorder or hide text are left out")
  func formatCharacters() {
    #expect(TerminalText("a\u{202E}b\u{2066}c\u{200B}d\u{FEFF}e\u{AD}f").string == "abcdef")
  }

  @Test("Its width is that of its cells")
  func widths() {
    #expect(TerminalText("abc").width == 3)
    #expect(TerminalText("Rhône, Þjórsá").width == 13)
    #expect(TerminalText("長江").width == 4)
    #expect(TerminalText("🌊").width == 2)
    #expect(TerminalText("e\u{301}").width == 1)
    #expect(TerminalText("❤\u{FE0F}").width == 2)
    #expect(TerminalText("각").width == 2)
    // Terminals that do not join them show two emoji.
    #expect(TerminalText("👩‍🔬").width == 4)
  }

  @Test(
    "Longer text is cut at the end of a character",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
      ("長江川", 6, "長江川"), ("長江川", 5, "長江…"), ("長江川", 4, "長…"),
      ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👩‍🔬 Lab", 4, "👩…"), ("", 0, ""), ("a", -1, ""),
    ])
  func limits(text: String, limit: Int, result: String) {
    let text = TerminalText(text, limit: limit)
    #expect(text.string == result)
    #expect(text.width <= max(0, limit))
  }

  @Test("Of many marks on one character only a few stay")
  func marks() {
    let text = TerminalText("z" + String(repeating: "\u{335}", count: 100) + "a")
    #expect(text.string.unicodeScalars.count == 6)
    #expect(text.width == 2)
    #expect(TerminalText("\u{301}a").string == "a")
  }

  @Test("Of random text nothing but visible cells is left", arguments: 0..<50)
  func random(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<generator.number(below: 30) {
        let ends = [0x100, 0x3000, 0x1_0000, 0x2_0000, 0x11_0000]
        let end = ends[generator.number(below: ends.count)]
        if let scalar = Unicode.Scalar(UInt32(generator.number(below: end))) {
          scalars.append(scalar)
        }
      }
      let limit = generator.number(below: 40)
      let text = TerminalText(String(scalars), limit: limit)
      #expect(text.width <= limit, "seed \(seed)")
      // From scalar to scalar; the variant as an emoji may make the one before it wider.
      let widths = text.string.unicodeScalars.map(TerminalText.width(of:)).reduce(0, +)
      let variants = text.string.unicodeScalars.count { $0 == "\u{FE0F}" }
      #expect((widths...(widths + variants)).contains(text.width), "seed \(seed)")
      for scalar in text.string.unicodeScalars {
        let category = scalar.properties.generalCategory
        #expect(category != .control && category != .unassigned, "seed \(seed)")
        #expect(category != .format || scalar == "\u{200D}", "seed \(seed)")
      }
      // What it leaves is left as it is.
      #expect(TerminalText(text.string) == text, "seed \(seed)")
    }
  }
}
