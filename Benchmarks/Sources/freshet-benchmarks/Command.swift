import Dispatch
import Foundation

/// Measures the cost of traversals; see `Benchmarks/README.md`.
@main
struct Command {
  /// Waits for the measurements in the run loop of the main thread, for those on the main actor: an async
  /// `main` ends that thread, which valgrind does not survive.
  static func main() {
    let options: Options
    do throws(UsageError) {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      fail("\(error.message)\n\(Options.usage)", status: 2)
    }
    let done = DispatchSemaphore(value: 0)
    Task { @concurrent in
      do {
        try await run(options)
      } catch {
        fail(error.localizedDescription, status: 2)
      }
      done.signal()
      if options.iterations == nil { exit(0) }
    }
    // A run loop would count what it does while it waits.
    if options.iterations != nil { done.wait() } else { RunLoop.main.run() }
  }

  private static func run(_ options: Options) async throws {
    let actor = StoreActor()
    if let count = options.soak {
      let growth = try await Soak.run(count, on: actor)
      guard growth.isEmpty else { fail("left by \(count) loads: \(growth)", status: 1) }
      return print("Nothing is left of \(count) loads.")
    }
    if options.iterations == nil { print(Row.heading) }
    var rows = await actor.measure(options)
    let misses = options.isChecked ? try await check(&rows, options, actor) : []
    if let file = options.json {
      try Row.json(rows).write(toFile: file, atomically: true, encoding: .utf8)
    }
    if let file = options.plot {
      try Plot(rows).svg.write(toFile: file, atomically: true, encoding: .utf8)
    }
    guard misses.isEmpty else { fail(misses.joined(separator: "\n"), status: 1) }
    if options.isChecked { print("All ratios, growth and bytes are as recorded.") }
  }

  /// Compares with the thresholds. A figure that misses its threshold is measured again, because
  /// other programs use the machine too: only figures that miss every time are reported.
  private static func check(
    _ rows: inout [Row], _ options: Options, _ actor: StoreActor
  ) async throws -> [String] {
    let thresholds = try Threshold.recorded()
    for attempt in 1... {
      let missed = thresholds.filter {
        !$0.misses(in: rows, mayBeMissing: options.filter != nil).isEmpty
      }
      let names = Set(missed.map(\.name))
      if names.isEmpty || attempt == 8 {
        return missed.flatMap { $0.misses(in: rows, mayBeMissing: options.filter != nil) }
      }
      print("measured again, because the check failed: \(names.sorted().joined(separator: ", "))")
      for row in await actor.measure(options, only: names) {
        if let index = rows.firstIndex(where: { $0.name == row.name && $0.n == row.n }) {
          rows[index] = row
        }
      }
    }
    return []
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
