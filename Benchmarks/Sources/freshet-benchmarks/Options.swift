/// The parsed arguments of the command.
struct Options: Sendable {
  static let usage = """
    usage: freshet-benchmarks [--filter NAME] [--quick] [--json FILE] [--check] [--plot FILE]
           or: freshet-benchmarks --soak N
      --filter NAME    measures only what has NAME in its name
      --quick          fewer samples and sizes
      --json FILE      writes the results
      --check          compares ratios and growth with Benchmarks/Thresholds; ends with 1 on a miss
      --plot FILE      draws time against size as SVG
      --soak N         does N loads of all kinds over loopback instead, and ends with 1 where threads, file
                       descriptors or heap bytes have grown with them
      --largest N      leaves out sizes above N
      --iterations N   does each job N times, unmeasured; for Benchmarks/Scripts/instructions.sh
      --floor          with --iterations: does what the job is compared with
    """

  var filter: String?
  var isQuick = false
  var json: String?
  var plot: String?
  var isChecked = false
  var iterations: Int?
  /// Whether the iterations are of what the job is compared with.
  var isFloor = false
  /// The largest size, beside the least one of each row.
  var largest: Int?
  /// How many loads to do instead of measuring.
  var soak: Int?

  /// How many samples to measure of each candidate.
  var sampleCount: Int { isQuick ? 11 : 31 }

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var arguments = Array(arguments)[...]
    while let name = arguments.popFirst() {
      switch name {
      case "--quick": isQuick = true
      case "--check": isChecked = true
      case "--filter": filter = try Self.value(of: name, &arguments)
      case "--json": json = try Self.value(of: name, &arguments)
      case "--plot": plot = try Self.value(of: name, &arguments)
      case "--iterations":
        iterations = try Self.count(of: name, &arguments)
      case "--floor": isFloor = true
      case "--largest": largest = try Self.count(of: name, &arguments)
      case "--soak": soak = try Self.count(of: name, &arguments)
      default: throw UsageError(message: "unknown argument \(name)")
      }
    }
  }

  private static func count(
    of name: String, _ arguments: inout ArraySlice<String>
  ) throws(UsageError) -> Int {
    guard let count = Int(try value(of: name, &arguments)), count > 0 else {
      throw UsageError(message: "\(name) takes a number from 1")
    }
    return count
  }

  private static func value(
    of name: String, _ arguments: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = arguments.popFirst() else {
      throw UsageError(message: "\(name) takes a value")
    }
    return value
  }
}

/// The error of arguments that are not understood.
struct UsageError: Error {
  let message: String
}
