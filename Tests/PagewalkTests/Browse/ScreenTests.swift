import Foundation
import Testing

@testable import PagewalkBrowser

@Suite("The screen")
struct ScreenTests {
  /// A terminal that understands what is written to it, as far as rows go.
  private struct EmulatedTerminal {
    var rows: [String]
    private var cursor = 0
    private var region: Range<Int>

    init(height: Int) {
      rows = Array(repeating: "?", count: height)
      region = 0..<height
    }

    mutating func write(_ text: String) {
      var rest = text[...]
      while let scalar = rest.unicodeScalars.first {
        if scalar == "\u{1B}", let match = rest.prefixMatch(of: /\u{1B}\[([0-9;]*)([A-Za-z])/) {
          perform(match.output.2, match.output.1.split(separator: ";").compactMap { Int($0) })
          rest = rest[match.range.upperBound...]
        } else {
          rows[cursor].unicodeScalars.append(scalar)
          rest = Substring(rest.unicodeScalars.dropFirst())
        }
      }
    }

    private mutating func perform(_ command: Substring, _ numbers: [Int]) {
      switch command {
      case "H":
        cursor = (numbers.first ?? 1) - 1
        #expect(numbers.last == 1)
      case "J": rows = Array(repeating: "", count: rows.count)
      case "K": rows[cursor] = ""
      case "m": break
      case "r":
        region = numbers.isEmpty ? 0..<rows.count : (numbers[0] - 1)..<numbers[1]
        cursor = 0
      case "M", "L":
        #expect(cursor == region.lowerBound)
        let count = min(numbers[0], region.count)
        let empty = Array(repeating: "", count: count)
        rows.replaceSubrange(
          region,
          with: command == "M"
            ? rows[region].dropFirst(count) + empty : empty + rows[region].dropLast(count))
      default: Issue.record("an unknown command: \(command)")
      }
    }
  }

  private func screen(_ texts: [String], width: Int = 20) -> Screen {
    Screen(
      TerminalSize(columns: width, rows: texts.count),
      texts.map { text in
        var row = Screen.Row(width: width)
        row.append(text)
        return row
      })
  }

  @Test("Only the rows that differ are drawn")
  func changedRow() {
    let old = screen(["a", "b", "c"])
    let new = screen(["a", "x", "c"])
    #expect(new.change(from: old) == Screen.Change(rows: [1]))
    #expect(new.text(of: new.change(from: old)) == "\u{1B}[2;1H\u{1B}[0m\u{1B}[2Kx")
    #expect(old.change(from: old) == Screen.Change(rows: []))
    #expect(old.text(of: old.change(from: old)) == "")
  }

  @Test("A style is a difference, and ends with its text")
  func styles() {
    var row = Screen.Row(width: 5)
    row.append("ab", .reversed)
    let new = Screen(TerminalSize(columns: 5, rows: 1), [row])
    let old = screen(["ab"], width: 5)
    #expect(new.change(from: old).rows == [0])
    #expect(new.text(of: new.change(from: old)).hasSuffix("\u{1B}[7mab\u{1B}[0m"))
  }

  @Test("Rows that move are moved by the terminal")
  func shifts() {
    let old = screen(["title", "a", "b", "c", "d", "e", "status"])
    let deleted = screen(["title", "a", "c", "d", "e", "f", "status"])
    #expect(
      deleted.change(from: old)
        == Screen.Change(shift: Screen.Shift(region: 2..<6, distance: 1), rows: [5]))
    let inserted = screen(["title", "a", "x", "b", "c", "d", "new status"])
    #expect(
      inserted.change(from: old)
        == Screen.Change(shift: Screen.Shift(region: 2..<6, distance: -1), rows: [2, 6]))
  }

  @Test("Another size is drawn completely")
  func resized() {
    let old = screen(["a", "b"])
    let new = screen(["a", "b"], width: 10)
    #expect(new.change(from: old) == Screen.Change(rows: [0, 1], erases: true))
    #expect(new.change(from: nil) == Screen.Change(rows: [0, 1], erases: true))
  }

  @Test("A row never grows beyond its width")
  func width() {
    var row = Screen.Row(width: 5)
    row.append("ab")
    row.append("長江川")
    row.append("x")
    #expect(row.string == "ab長…")
    #expect(row.room == 0)
    row.fill()
    #expect(row.string == "ab長…")
  }

  @Test("After any change the terminal shows the screen", arguments: 0..<40)
  func random(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let height = 1 + generator.number(below: 12)
    var terminal = EmulatedTerminal(height: height)
    var shown: Screen?
    // Few different texts, so that rows seem to move where they do not.
    var texts = (0..<height).map { "\($0 % 5)" }
    for step in 0..<100 {
      switch generator.number(below: 4) {
      case 0: texts[generator.number(below: height)] = "\(generator.number(below: 5))"
      case 1:
        texts.insert("new \(step)", at: generator.number(below: height))
        texts.removeLast()
      case 2:
        texts.remove(at: generator.number(below: height))
        texts.append("\(step % 7)")
      default:
        let count = generator.number(below: height)
        texts = Array(texts.dropFirst(count)) + texts.prefix(count)
      }
      let new = screen(texts)
      let change = new.change(from: shown)
      let different = zip(texts, terminal.rows).count { $0 != $1 }
      #expect(change.rows.count <= different, "seed \(seed), step \(step)")
      terminal.write(new.text(of: change))
      #expect(terminal.rows == texts, "seed \(seed), step \(step)")
      shown = new
    }
  }
}
