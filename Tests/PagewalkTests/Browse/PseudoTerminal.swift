import Foundation
import Testing

/// The built program in a terminal of its own, which tmux provides.
@TerminalActor
final class PseudoTerminal {
  /// The program, which is beside the tests.
  nonisolated static let program = URL(filePath: CommandLine.arguments.first ?? "")
    .deletingLastPathComponent().appending(path: "pagewalk")

  private nonisolated static let multiplexer = [
    "/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux",
  ]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether there are tmux and the program.
  nonisolated static let isAvailable =
    multiplexer != nil && FileManager.default.isExecutableFile(atPath: program.path())

  // The path of a socket has at most 104 bytes.
  private let folder = URL.temporaryDirectory.appending(
    path: "pagewalk-\(UUID().uuidString.prefix(8))")
  private let socket: String
  /// The reading end of a pipe, to which tmux copies what the program writes.
  private let output: Int32

  /// Starts `pagewalk browse` by a shell, which has the modes of the terminal before and after that
  /// written to files, and then prints the status.
  ///
  /// - Parameter afterStop: what the shell does when the program is stopped.
  init(_ arguments: String..., afterStop: String? = nil) throws {
    socket = folder.appending(path: "socket").path()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let run = (["browse"] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let command = "sh -c 'echo $$ > pid; exec \"$0\" \"$@\"' '\(Self.program.path())' \(run)"
    let script = """
      cd '\(folder.path())'
      ulimit -c 0
      export SWIFT_BACKTRACE=enable=no
      export TSAN_OPTIONS=handle_segv=0
      stty -a > before
      \(afterStop == nil ? "" : "set -m")
      \(command)
      \(afterStop ?? "")
      status=$?
      stty -a > after
      echo "status $status"
      exec cat
      """
    try Data(script.utf8).write(to: folder.appending(path: "script"))
    let pipe = folder.appending(path: "output").path()
    guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    // Opened to write as well, so that it does not end.
    output = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try tmux(
      "new-session", "-d", "-x", "80", "-y", "24", "sh '\(folder.path())/script'", ";",
      "pipe-pane", "cat > '\(pipe)'")
  }

  deinit {
    _ = try? Self.tmux(["kill-server"], on: socket)
    close(output)
    try? FileManager.default.removeItem(at: folder)
  }

  func press(_ keys: String...) throws {
    try Self.tmux(["send-keys"] + keys, on: socket)
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
  /// - Throws: after 55 minutes, before the time limit of the suite: the tests beside it may take a while.
  @discardableResult
  func rows(where isExpected: ([String]) -> Bool) throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(3_300)
    var last: [String]?
    while ContinuousClock.now < deadline {
      let rows = try rows()
      if isExpected(rows), rows == last { return rows }
      last = rows
      waitForOutput()
    }
    throw NeverShown(rows: try rows())
  }

  /// Waits until the program has written something, or nothing for a twentieth of a second.
  private func waitForOutput() {
    var output = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&output, 1, 50) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(output.fd, &buffer, buffer.count) > 0 {}
  }

  /// Waits until a row has a text.
  @discardableResult
  func rows(with text: String) throws -> [String] {
    try rows { rows in rows.contains { $0.contains(text) } }
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
  private func tmux(_ arguments: String...) throws -> String {
    try Self.tmux(arguments, on: socket)
  }

  /// Runs tmux by a shell. (The server that it starts would inherit a descriptor of a `Process`, which
  /// would wait for its end.)
  @discardableResult
  private nonisolated static func tmux(
    _ arguments: [String], on socket: String
  ) throws -> String {
    // -u: the text is UTF-8, whatever the locale of the tests.
    let words = [multiplexer ?? "", "-u", "-S", socket, "-f", "/dev/null"] + arguments
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
