import Foundation

/// Measures what traversal costs; see `Benchmarks/README.md`.
@main
struct Command {
  static func main() async {
    do throws(UsageError) {
      let options = try Options(CommandLine.arguments.dropFirst())
      await run(options)
    } catch {
      FileHandle.standardError.write(Data("\(error.message)\n\(Options.usage)\n".utf8))
      exit(2)
    }
  }

  private static func run(_ options: Options) async {
    print(Row.heading)
    let home = Home()
    let rows = await home.measure(options)
    do {
      if let file = options.json {
        try Row.json(rows).write(toFile: file, atomically: true, encoding: .utf8)
      }
    } catch {
      FileHandle.standardError.write(Data("\(error.localizedDescription)\n".utf8))
      exit(1)
    }
  }
}
