import Testing

@testable import PagewalkBrowser

@Suite("Keys")
struct KeyReaderTests {
  private static let sequences: [(String, [Key])] = [
    ("j", [.character("j")]), ("é", [.character("é")]), ("長", [.character("長")]),
    ("🌊", [.character("🌊")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
    ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]), ("\u{3}", [.control("c")]),
    ("\u{1A}", [.control("z")]), ("\u{1B}[A", [.up]), ("\u{1B}OA", [.up]), ("\u{1B}[B", [.down]),
    ("\u{1B}[C", [.right]), ("\u{1B}[D", [.left]), ("\u{1B}[1;5A", [.up]), ("\u{1B}[5~", [.pageUp]),
    ("\u{1B}[6~", [.pageDown]), ("\u{1B}[H", [.home]), ("\u{1B}[1~", [.home]), ("\u{1B}OF", [.end]),
    ("\u{1B}[4~", [.end]), ("\u{1B}j", [.escape, .character("j")]), ("\u{1B}[24~", []),
    ("\u{1B}[200;1R", []), ("\u{0}", []), ("\u{1B}[?1;2c", []),
  ]

  @Test("Bytes and sequences are keys", arguments: sequences)
  func keys(text: String, keys: [Key]) {
    var reader = KeyReader()
    #expect(reader.keys(in: text.utf8) == keys)
    #expect(!reader.isWaiting)
  }

  @Test("An escape byte alone is a key after a moment")
  func escape() {
    var reader = KeyReader()
    #expect(reader.keys(in: [0x1B]) == [])
    #expect(reader.isWaiting)
    #expect(reader.flush() == [.escape])
    #expect(reader.keys(in: [0x1B, 0x1B]) == [.escape])
    #expect(reader.flush() == [.escape])
    #expect(reader.keys(in: Array("\u{1B}[".utf8)) == [])
    #expect(reader.flush() == [])
    #expect(reader.keys(in: Array("A".utf8)) == [.character("A")])
  }

  @Test("Bytes that are not UTF-8 are no keys, and harm no others")
  func invalidBytes() {
    var reader = KeyReader()
    #expect(
      reader.keys(in: [0xFF, 0x6A, 0xE2, 0x82, 0x6B, 0x80, 0xC3, 0x1B]) == "jk".map(Key.character))
    #expect(reader.flush() == [.escape])
    #expect(reader.keys(in: [0xED, 0xA0, 0x80, 0x6A]) == [.character("j")])
  }

  @Test("Of an endless sequence nothing is kept, and it ends as others do")
  func endlessSequence() {
    var reader = KeyReader()
    #expect(reader.keys(in: ("\u{1B}[" + String(repeating: "1;", count: 99)).utf8).isEmpty)
    #expect(reader.isWaiting)
    #expect(reader.keys(in: "zj".utf8) == [.character("j")])
  }

  @Test("In whatever pieces bytes arrive, they are the same keys", arguments: 0..<50)
  func pieces(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let chosen = (0..<20).map { _ in Self.sequences[generator.number(below: Self.sequences.count)] }
    let bytes = Array(chosen.map(\.0).joined().utf8)
    var reader = KeyReader()
    var keys: [Key] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + generator.number(below: 5))
      keys += reader.keys(in: bytes[start..<end])
      start = end
    }
    #expect(keys == chosen.flatMap(\.1), "seed \(seed)")
    #expect(!reader.isWaiting, "seed \(seed)")
  }

  @Test("Random bytes leave nothing that waits for ever", arguments: 0..<20)
  func random(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    var reader = KeyReader()
    for _ in 0..<2000 {
      let bytes: [UInt8] = [0x1B, 0x5B, 0x4F, 0xC3, UInt8(generator.number(below: 256))]
      _ = reader.keys(in: [bytes[generator.number(below: bytes.count)]])
    }
    _ = reader.flush()
    #expect(reader.keys(in: [0x6A]) == [.character("j")], "seed \(seed)")
  }
}
