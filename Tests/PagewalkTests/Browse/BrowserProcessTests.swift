import Foundation
import FreshetTesting
import Testing

@Suite(
  "The browser in a terminal", .standardTimeLimit, .serialized,
  .enabled(if: PseudoTerminal.isAvailable, "needs tmux and the program"))
@TerminalActor
struct BrowserProcessTests {
  /// The demo, when it has loaded the pages of its first screen, so that nothing but a key changes
  /// what it shows. Its requests may take as long as the machine needs.
  private func demo() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(patience, "--retries=0")
    try terminal.rows { rows in
      rows[0].contains(" 1/40") && rows[1].contains("   1 fresh   ├      1 ")
        && rows[22].contains("up to date · 40 of 500 items")
    }
    return terminal
  }

  /// The rows of the list on the screen, from the number of the item.
  private func items(_ rows: [String]) -> [String] {
    rows.dropFirst().dropLast(3).map { String($0.dropFirst(15)) }
  }

  /// How many rows were drawn since the last key, as the status says.
  private func repaintedCount(_ rows: [String]) -> Int? {
    rows.lazy.compactMap { $0.firstMatch(of: /([0-9]+) rows? repainted/)?.output.1 }.first
      .flatMap { Int($0) }
  }

  @Test("It shows the list, and loads more at its end")
  func scrolling() throws {
    let terminal = try demo()
    var rows = try terminal.rows(with: "40 of 500 items")
    #expect(rows[0].hasPrefix(" http://127.0.0.1:"))
    #expect(rows[21].contains("   2 fresh   ├     21 "))
    let status = /up to date · 40 of 500 items · updated [0-9]{2}:[0-9]{2}:[0-9]{2}/
    #expect(rows[22].contains(status))
    try terminal.press("G")
    try terminal.rows(with: " 40/60 page 2/3")
    try terminal.press("PageDown")
    try terminal.rows(with: " 60/80 page 3/4")
    try terminal.press("g")
    rows = try terminal.rows(with: " 1/80 page 1/4")
    #expect(items(rows)[0].hasPrefix("     1 "))
    try terminal.press("7", "Enter")
    rows = try terminal.rows(with: " 121/")
    #expect(rows[1].contains("   7 fresh   ├    121 "))
    try terminal.press("/", "Weir", "Enter")
    rows = try terminal.rows(with: "filter: Weir · ")
    #expect(items(rows).prefix { !$0.isEmpty }.dropLast().allSatisfy { $0.contains("Weir") })
    try terminal.press("Escape")
    try terminal.rows { $0[0].contains(" 122/") && $0[0].contains(" page 7/") }
  }

  @Test("A filter follows what changes, and loads more where the user asks for it")
  func filtering() throws {
    let terminal = try demo()
    try terminal.press("/", "Weir", "Enter")
    try terminal.rows { $0[0].contains(" 1/3 ") && $0[4].contains("├ more follow") }
    try terminal.press("E")
    try terminal.rows { $0[1].contains("(revision 2)") && $0[1].contains("fresh") }
    try terminal.press("D")
    try terminal.rows { $0[0].contains(" 1/3 ") && items($0)[0].hasPrefix("    15 ") }
    // No item of the next page matches.
    try terminal.press("G", "j")
    try terminal.rows { $0[0].contains(" 3/3 ") && $0[22].contains(" · 60 of 499 ") }
    try terminal.press("j")
    try terminal.rows { $0[0].contains(" 3/6 ") && items($0)[3].hasPrefix("    62 ") }
    try terminal.press("Escape")
    try terminal.rows { $0[0].contains(" 40/80 ") }
  }

  @Test("What changes on the server repaints its rows, and the selected item stays in its row")
  func changes() throws {
    let terminal = try demo()
    try terminal.press("j", "j", "j")
    let before = try terminal.rows(with: " 4/40")
    try terminal.press("E")
    let edited = try terminal.rows { rows in
      rows[4].contains("(revision 2)") && rows[22].contains("the server has edited item 4")
        && rows[1].contains("fresh")
    }
    #expect(zip(items(edited), items(before)).enumerated().filter { $1.0 != $1.1 }.map(\.0) == [3])
    // The edited row, and the states of the pages while they are loaded.
    #expect(try #require(repaintedCount(edited)) <= 8)

    try terminal.press("I")
    let inserted = try terminal.rows { rows in
      rows[0].contains(" 5/40") && rows[1].contains("fresh") && items(rows)[2].hasPrefix("   501 ")
        && items(rows)[0...1] == items(edited)[1...2] && items(rows)[3...] == items(edited)[3...]
    }

    try terminal.press("D")
    let deleted = try terminal.rows { rows in
      rows[1].contains("fresh") && items(rows)[..<3] == items(inserted)[..<3]
        && items(rows)[3..<20] == items(inserted)[4..<21]
    }
    // The rows below were moved by the terminal.
    #expect(try #require(repaintedCount(deleted)) <= 10)
  }

  @Test("A page that cannot be loaded says so, and is retried")
  func networkFailure() throws {
    let terminal = try demo()
    try terminal.press("N")
    try terminal.rows(with: "the network is cut")
    try terminal.press("G")
    var rows = try terminal.rows(with: "   3 failed  ├ Enter retries. page 3: ")
    #expect(rows[22].hasPrefix("offline: Enter retries · 40 of 500 items"))
    try terminal.press("N")
    try terminal.rows(with: "the network is back")
    try terminal.press("Enter")
    rows = try terminal.rows(with: "   3 fresh   ├     41 ")
    #expect(rows[0].hasSuffix(" 40/60 page 2/3"))
    try terminal.press("N")
    try terminal.rows(with: "the network is cut")
    try terminal.press("g", "r")
    try terminal.rows { rows in
      rows[1].contains("   1 failed  ├      1 ")
        && rows[22].hasPrefix("refresh failed, Enter retries: page 1: the network is cut")
    }
    try terminal.press("N", "R")
    try terminal.rows {
      $0[1].contains("   1 fresh   ├      1 ") && $0[22].contains(" · 60 of")
    }
  }

  @Test("It follows the size of the terminal")
  func resizing() throws {
    let terminal = try demo()
    let before = try terminal.rows(with: "40 of 500 items")
    try terminal.resize(columns: 40, rows: 10)
    let small = try terminal.rows { $0.count >= 10 && $0[1].contains("   1 + ├      1 ") }
    #expect(small[9].contains(" · 40 of 500 items"))
    try terminal.resize(columns: 15, rows: 3)
    try terminal.rows(with: "too small: 20x")
    try terminal.resize(columns: 80, rows: 24)
    try terminal.rows { $0.count >= 24 && items($0) == items(before) }
  }

  @Test("Events are shown in a pane, help covers the screen")
  func panes() throws {
    let terminal = try demo()
    try terminal.press("e")
    try terminal.rows(with: "── events ──")
    try terminal.press("r")
    try terminal.rows(with: "notModified")
    try terminal.press("?")
    let rows = try terminal.rows(with: "pagewalk browse: keys")
    #expect(rows.contains("Any key closes this."))
    try terminal.press("x")
    try terminal.rows(with: "── events ──")
  }

  @Test("Quitting restores the terminal", arguments: [("q", 0), ("C-c", 130)])
  func quitting(key: String, status: Int) throws {
    let terminal = try demo()
    #expect(try terminal.isInProgram())
    try terminal.press(key)
    try terminal.rows(with: "status \(status)")
    try terminal.expectRestored()
  }

  @Test(
    "Signals that end it restore the terminal",
    arguments: [
      SIGTERM, SIGHUP, SIGINT, SIGUSR1, SIGALRM, SIGXCPU, SIGQUIT, SIGSEGV, SIGABRT, SIGTRAP,
    ])
  func signals(signal: Int32) throws {
    let terminal = try demo()
    #expect(try terminal.isInProgram())
    try terminal.kill(signal)
    try terminal.rows(with: "status \(128 + signal)")
    try terminal.expectRestored()
  }

  #if os(Linux)
    @Test("The message of a crash is shown after the screen, and not over it")
    func crashMessage() throws {
      let terminal = try demo()
      try terminal.write(toStandardErrorOfProgram: "Fatal error: a message\n")
      try terminal.press("j")
      try terminal.rows { $0[0].contains(" 2/") && !$0.joined().contains("Fatal error") }
      try terminal.kill(SIGABRT)
      let rows = try terminal.rows(with: "status 134")
      #expect(rows[0] == "Fatal error: a message")
      try terminal.expectRestored()
    }
  #endif

  @Test(
    "Suspended it leaves the terminal to the shell, and comes back to what it has shown",
    arguments: [nil, SIGTSTP, SIGSTOP])
  func suspending(signal: Int32?) throws {
    let terminal = try PseudoTerminal(
      patience,
      afterStop: signal == SIGSTOP
        ? "stty sane; printf '\\033[?7h\\033[?25h\\033[?1049l'; echo stopped; read line; fg"
        : "stty -a > after; cmp before after && echo stopped; read line; fg")
    let before = try terminal.rows(with: "40 of 500 items")
    if let signal { try terminal.kill(signal) } else { try terminal.press("C-z") }
    // Nothing is drawn over what the shell shows.
    let rows = try terminal.rows(with: "stopped")
    #expect(!rows.joined().contains("500 items"))
    #expect(try !terminal.isInProgram())
    try terminal.press("Enter")
    try terminal.rows { items($0) == items(before) }
    try terminal.press("q")
    try terminal.rows(with: "status 0")
    try terminal.expectRestored()
  }

  @Test("In the background it leaves the terminal to the shell")
  func background() throws {
    let terminal = try PseudoTerminal(
      patience, afterStop: "bg; echo background; read line; fg")
    let before = try terminal.rows(with: "40 of 500 items")
    try terminal.press("C-z")
    let rows = try terminal.rows(with: "background")
    #expect(!rows.joined().contains("500 items"))
    #expect(try !terminal.isInProgram())
    try terminal.press("Enter")
    try terminal.rows { items($0) == items(before) }
    try terminal.press("q")
    try terminal.rows(with: "status 0")
    try terminal.expectRestored()
  }

  @Test("A signal that ends it while it is suspended leaves the terminal as it is")
  func endedWhileSuspended() throws {
    let terminal = try PseudoTerminal(patience, afterStop: "kill %1; fg")
    try terminal.rows(with: "40 of 500 items")
    try terminal.press("C-z")
    try terminal.rows(with: "status 143")
    try terminal.expectRestored()
  }

  @Test("A signal to stop, where there is no shell to continue it, changes nothing")
  func stopWithoutShell() throws {
    let terminal = try demo()
    try terminal.kill(SIGTSTP)
    try terminal.press("j")
    try terminal.rows(with: " 2/40")
    #expect(try terminal.isInProgram())
    try terminal.press("q")
    try terminal.rows(with: "status 0")
    try terminal.expectRestored()
  }

  @Test("Text from a server neither controls the terminal nor breaks the layout")
  func hostileText() throws {
    let server = try LoopbackServer { _ in
      .json(
        #"""
        [{"id": 1, "name": "\u001b[2J\u001b[31mred\u001b]0;title\u0007"}, {"id": 2, "name": "a\nb\rc\td"},
         {"id": 3, "name": "\u202eevil\u2066"}, {"id": 4, "name": "\u009b?1049l"},
         {"id": 5, "name": "\#(String(repeating: "長江🌊", count: 40))"}, {"id": 6, "name": "last"}]
        """#)
    }
    let terminal = try PseudoTerminal("\(server.url)", patience)
    let rows = try terminal.rows(with: "end of the list")
    #expect(
      rows[1...4].map { $0.dropFirst(13) } == [
        "├ 1 · ␛[2J␛[31mred␛]0;title␇", "│ 2 · a␊b␍c␉d", "│ 3 · evil",
        "│ 4 · \u{FFFD}?1049l",
      ])
    #expect(rows[5].contains("│ 5 · 長江🌊長江🌊"))
    #expect(rows[5].hasSuffix("…"))
    #expect(rows[6].hasSuffix("│ 6 · last"))
    #expect(try terminal.isInProgram())
  }

  @Test("An error of the server is shown with its message, and without credentials")
  func serverError() throws {
    let server = try LoopbackServer { _ in
      .json(#"{"message": "no \u001b[31m access for hunter22"}"#, status: 403)
    }
    let terminal = try PseudoTerminal(
      "\(server.url)", patience, "-H", "Authorization: Bearer hunter22")
    let rows = try terminal.rows(with: "   1 failed")
    #expect(rows[1].contains("├ Enter retries. page 1: "))
    #expect(!rows.joined().contains("hunter22"))
    #expect(rows[22].hasPrefix("failed: Enter retries"))
  }

  @Test("Without a terminal it says so")
  func noTerminal() throws {
    let process = Process()
    process.executableURL = PseudoTerminal.program
    process.arguments = ["browse"]
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(String(decoding: text, as: UTF8.self).hasPrefix("pagewalk: browse needs a terminal"))
    #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
  }
}
