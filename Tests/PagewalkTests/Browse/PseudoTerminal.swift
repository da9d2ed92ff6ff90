import Foundation
import Testing

/// The built program in a terminal of its own, which tmux provides.
final class PseudoTerminal {
  /// The program, which is beside the tests.
  static let program = URL(filePath: CommandLine.arguments.first ?? "")
    .deletingLastPathComponent().appending(path: "pagewalk")

  private static let tmux = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether there are tmux and the program.
  static let isAvailable =
    tmux != nil && FileManager.default.isExecutableFile(atPath: program.path())

  private let socket = "pagewalk-\(UUID().uuidString)"
  private let folder = URL.temporaryDirectory.appending(path: "pagewalk-\(UUID().uuidString)")

  /// Starts `pagewalk browse` by a shell, which has the modes of the terminal before and after that
  /// written to files, and then prints the status.
  ///
  /// - Parameter afterStop: what the shell does when the program is stopped.
  init(_ arguments: String..., afterStop: String? = nil) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let run = (["browse"] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let command =
      afterStop == nil
      ? "sh -c 'echo $$ > pid; exec \"$0\" \"$@\"' '\(Self.program.path())' \(run)"
      : "set -m; '\(Self.program.path())' \(run)"
    let script = """
      cd '\(folder.path())'
      ulimit -c 0
      export SWIFT_BACKTRACE=enable=no
      stty -a > before
      \(command)
      \(afterStop ?? "")
      status=$?
      stty -a > after
      echo "status $status"
      exec cat
      """
    try Data(script.utf8).write(to: folder.appending(path: "script"))
    try tmux(
      "new-session", "-d", "-x", "80", "-y", "24", "sh '\(folder.path())/script'")
  }

  deinit {
    _ = try? tmux("kill-server")
    try? FileManager.default.removeItem(at: folder)
  }

  func press(_ keys: String...) throws {
    try tmux(["send-keys"] + keys)
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// What is on the screen, row by row.
  func rows() throws -> [String] {
    try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// Waits until the screen is as expected, and returns it: when it stays so, because one that is
  /// being drawn may have rows of two screens.
  ///
  /// - Throws: after nine minutes, before the time limit of the suite: the tests beside it may take a while.
  @discardableResult
  func rows(where isExpected: ([String]) -> Bool) async throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(540)
    var last: [String]?
    while ContinuousClock.now < deadline {
      let rows = try rows()
      if isExpected(rows), rows == last { return rows }
      last = rows
      await Task.yield()
    }
    throw NeverShown(rows: try rows())
  }

  /// Waits until a row has a text.
  @discardableResult
  func rows(with text: String) async throws -> [String] {
    try await rows { rows in rows.contains { $0.contains(text) } }
  }

  struct NeverShown: Error, CustomStringConvertible {
    let rows: [String]
    var description: String { "the terminal shows:\n" + rows.joined(separator: "\n") }
  }

  /// Sends a signal to the program.
  func kill(_ signal: Int32) throws {
    Foundation.kill(try processIdentifier(), signal)
  }

  private func processIdentifier() throws -> Int32 {
    let text = try text(of: "pid").trimmingCharacters(in: .whitespacesAndNewlines)
    return try #require(Int32(text))
  }

  #if os(Linux)
    /// Writes a text as the program itself may.
    func write(toStandardErrorOfProgram text: String) throws {
      let path = "/proc/\(try processIdentifier())/fd/2"
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }
  #endif

  /// Whether the screen of the program is shown, without a cursor.
  func isInProgram() throws -> Bool {
    try tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}") == "1 0\n"
  }

  /// Expects the terminal to be as it was before the program.
  func expectRestored() throws {
    #expect(try text(of: "before") == text(of: "after"))
    #expect(
      try tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{wrap_flag}") == "0 1 1\n")
  }

  private func text(of file: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: file)), as: UTF8.self)
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

  /// Runs tmux by a shell. (The server that it starts would inherit a descriptor of a `Process`, which
  /// would wait for its end.)
  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    // -u: the text is UTF-8, whatever the locale of the tests.
    let words = [Self.tmux ?? "", "-u", "-L", socket, "-f", "/dev/null"] + arguments
    let command = words.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }.joined(separator: " ")
    guard let stream = popen(command + " 2>/dev/null", "r") else { throw POSIXError(.ENOENT) }
    defer { pclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
