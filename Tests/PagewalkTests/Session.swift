import Foundation
import Freshet
import FreshetTesting

@testable import pagewalk

/// One run of the program inside the test's process, with what it wrote.
@MainActor
final class Session {
  private var output = Data()
  private var errors = Data()
  private let isTerminal: Bool
  /// Whether standard output is a terminal.
  var isOutputTerminal = false
  /// Whether the terminal knows no control sequences.
  var isDumb = false
  /// Whether something may read standard output.
  var hasReader = true
  /// How many bytes standard output takes before its reader leaves.
  var outputCapacity = Int.max
  /// The error number of a write of more than that.
  var outputFailure = EPIPE
  /// Called after each write to standard output.
  var onOutput: (() -> Void)?
  /// Called after each write to standard error.
  var onError: (() -> Void)?
  let interrupts = Interrupts()

  init(isTerminal: Bool = false) {
    self.isTerminal = isTerminal
  }

  /// Runs the program to its end.
  func run(_ arguments: String..., transport: any Transport) async -> ExitStatus {
    await run(arguments, transport: transport)
  }

  /// Runs the program to its end, with patience where no argument is a timeout.
  func run(_ arguments: [String], transport: any Transport) async -> ExitStatus {
    let hasTimeout = arguments.contains { $0.hasPrefix("--timeout") }
    return await Pagewalk.run(
      hasTimeout ? arguments : arguments + [patience], console: console, interrupts: interrupts,
      transport: transport)
  }

  /// Runs the program, and interrupts it once a request has reached the gate.
  func run(
    _ arguments: String..., transport: any Transport, interruptedAt gate: StubTransport.Gate
  ) async -> ExitStatus {
    await run(arguments, transport: transport, interruptedAt: gate)
  }

  /// Runs the program, and interrupts it once a request has reached the gate.
  func run(
    _ arguments: [String], transport: any Transport, interruptedAt gate: StubTransport.Gate
  ) async -> ExitStatus {
    let watcher = Task {
      await gate.arrived()
      interrupts.interrupt()
    }
    let status = await run(arguments, transport: transport)
    await watcher.value
    return status
  }

  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }
  var lines: [String] { Session.lines(of: outputText) }
  var errorLines: [String] { Session.lines(of: errorText) }
  /// The last line of standard error, as an object.
  var summary: JSONText? { errorLines.last.flatMap { try? JSONText(parsing: $0) } }

  var console: Console {
    Console(
      output: Console.Output(
        write: { bytes in
          guard self.output.count + bytes.count <= self.outputCapacity else {
            // The lines that it takes.
            let end =
              bytes.prefix(max(0, self.outputCapacity - self.output.count))
              .lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.startIndex
            self.output += bytes[..<end]
            return Console.Written(
              count: end - bytes.startIndex, failure: self.outputFailure)
          }
          self.output += bytes
          self.onOutput?()
          return Console.Written(count: bytes.count)
        },
        writeError: {
          self.errors += $0
          self.onError?()
        }, isTerminal: isTerminal, isOutputTerminal: isOutputTerminal, isDumb: isDumb,
        hasReader: { self.hasReader }))
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }
}

extension StubTransport {
  /// Serves `/items?page=N` with the pages, counted from 1, linked by `Link`; `/items` is the first.
  convenience init(pages: [String]) {
    self.init()
    for (index, page) in pages.enumerated() {
      let next = index + 1 < pages.count ? "</items?page=\(index + 2)>; rel=next" : nil
      let response = Response.json(page, headers: next.map { ["Link": $0] } ?? [:])
      on(.get, index == 0 ? "/items" : "/items?page=\(index + 1)", response)
    }
  }
}

/// Where the stubs are.
let address = "http://api.test/items"
