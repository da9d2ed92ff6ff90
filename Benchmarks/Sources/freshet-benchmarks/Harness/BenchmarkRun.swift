/// Measures comparisons and collects their rows.
///
/// All candidates of a comparison, of all its sizes, take turns in an order that is shuffled for
/// every round: other load on the machine affects them alike. Each sample repeats its work until it
/// takes longer than a millisecond.
final class BenchmarkRun {
  private static let shortestSample = Duration.milliseconds(1)

  let options: Options
  private(set) var rows: [Row] = []
  /// The names to measure; nil for those of the options.
  private let names: Set<String>?

  init(_ options: Options, only names: Set<String>? = nil) {
    self.options = options
    self.names = names
  }

  /// The sizes to measure: all of them, or those that are prepared quickly.
  func sizes(_ all: Int..., quick: Int) -> [Int] {
    let largest = min(options.largest ?? .max, options.isQuick ? quick : .max)
    let sizes = all.filter { $0 <= largest }
    return sizes.isEmpty ? Array(all.prefix(1)) : sizes
  }

  /// Whether work can be done on the main actor: not where instructions are counted, because the main
  /// thread waits then.
  var hasMainActor: Bool { options.iterations == nil }

  /// Whether to measure rows of this name; others need not be prepared.
  func wants(_ name: String) -> Bool {
    if let names { return names.contains(name) }
    // What is counted is one row, and not also those whose names begin with its name.
    if options.iterations != nil { return options.filter == name }
    return options.filter.map(name.contains) ?? true
  }

  /// How often to repeat a measurement that takes long and varies little, such as a count of bytes.
  var repetitions: Int { options.isQuick ? 1 : 3 }

  func record(_ row: Row) {
    rows.append(row)
    print(row.line)
  }

  /// Measures all candidates of these comparisons in turns.
  func compare(_ comparisons: [Comparison]) async {
    if let iterations = options.iterations {
      for comparison in comparisons {
        _ = await (options.isFloor ? comparison.floor?.work : comparison.ours)?(iterations)
      }
      return
    }
    var candidates: [Candidate] = []
    for comparison in comparisons {
      for (role, work) in comparison.entries {
        candidates.append(await Candidate(comparison, role, work, atLeast: Self.shortestSample))
      }
    }
    for round in 0..<options.sampleCount {
      for index in candidates.indices.shuffled() {
        if round >= candidates[index].mostSamples { continue }
        await candidates[index].takeSample()
      }
    }
    for (index, comparison) in comparisons.enumerated() {
      let own = candidates.filter {
        $0.comparison.name == comparison.name && $0.comparison.n == comparisons[index].n
      }
      func samples(_ role: Role) -> Samples? { own.first { $0.role == role }?.samples }
      let baseline = comparison.floor.flatMap { floor in
        samples(.floor).map { (name: floor.name, samples: $0) }
      }
      for (role, name) in [(Role.ours, comparison.name), (.naive, comparison.name + "/naive")] {
        guard let samples = samples(role) else { continue }
        record(
          Row(
            name: name, n: comparison.n, unit: comparison.unit, samples: samples, baseline: baseline
          ))
      }
    }
  }
}

/// The role of a candidate in its comparison.
private enum Role {
  case ours
  case floor
  case naive
}

extension Comparison {
  fileprivate var entries: [(Role, Work)] {
    [(Role.ours, ours), (.floor, floor?.work), (.naive, naive)]
      .compactMap { role, work in work.map { (role, $0) } }
  }
}

/// One of the implementations that are measured in turns.
private struct Candidate {
  let comparison: Comparison
  let role: Role
  private(set) var samples = Samples()
  /// In how many rounds it is measured. Few, if a sample takes very long: other load affects it
  /// little, or it is a naive implementation, whose time is only needed roughly.
  let mostSamples: Int
  private let work: Work
  private let iterations: Int

  /// Warms up, and determines how often to repeat the work for a sample.
  init(_ comparison: Comparison, _ role: Role, _ work: @escaping Work, atLeast shortest: Duration)
    async
  {
    self.comparison = comparison
    self.role = role
    self.work = work
    var iterations = 1
    var elapsed = await work(iterations)
    // The first run may compute values that later ones reuse.
    if elapsed < Self.longSample { elapsed = await work(iterations) }
    while elapsed < shortest {
      let factor = min(max(1.2 * (shortest / max(elapsed, .nanoseconds(1))), 1.5), 100)
      iterations = Int((Double(iterations) * factor).rounded(.up))
      elapsed = await work(iterations)
    }
    self.iterations = iterations
    let isSlow = elapsed > (role == .naive ? .milliseconds(200) : Self.longSample)
    mostSamples = isSlow ? Self.fewSamples : .max
  }

  private static let longSample = Duration.seconds(5)
  private static let fewSamples = 3

  mutating func takeSample() async {
    let elapsed = await work(iterations)
    samples.append(elapsed / .nanoseconds(1) / Double(iterations * comparison.per))
  }
}
