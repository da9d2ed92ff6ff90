import Foundation

/// The recorded bounds of a figure: a line of a file in `Benchmarks/Thresholds`.
///
/// Ratios, growth and bytes only: durations depend more on the machine than on the program. The
/// least of all samples is compared, which is the same on a busy machine.
struct Threshold: Decodable {
  /// The accepted range. A figure below it is better than recorded, and has to be recorded as well:
  /// otherwise the improvement could be lost again unnoticed.
  struct Bounds: Decodable {
    var atLeast: Double?
    var atMost: Double
  }

  /// The name of the rows.
  let name: String
  /// The size of the row; nil for growth.
  var n: Int?
  /// The bounds of the ratio to the baseline.
  var ratio: Bounds?
  /// The bounds of the ratio, in the unit of the row, from one size to the next.
  var growth: Bounds?
  /// The bounds of the heap bytes.
  var bytes: Bounds?

  /// All recorded thresholds.
  static func recorded() throws -> [Threshold] {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Thresholds").standardized
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".json") }
      .flatMap { file in
        try JSONDecoder().decode(
          [Threshold].self, from: Data(contentsOf: folder.appending(path: file)))
      }
  }

  /// The rows that miss their thresholds, in a sentence for each; empty if none does.
  ///
  /// - Parameter mayBeMissing: whether to skip rows that were not measured.
  func misses(in rows: [Row], mayBeMissing: Bool) -> [String] {
    let own = rows.filter { $0.name == name && (n == nil || $0.n == n) }.sorted { $0.n < $1.n }
    guard !own.isEmpty else {
      return mayBeMissing ? [] : ["\(name): there is no such row, but a threshold for it"]
    }
    var misses: [String] = []
    for row in own {
      if let ratio { misses += ratio.misses(row.undisturbedRatio, "\(name) n=\(row.n): the ratio") }
      if let bytes { misses += bytes.misses(row.minimum, "\(name) n=\(row.n): the bytes") }
    }
    if let growth {
      for (row, next) in zip(own, own.dropFirst()) {
        misses += growth.misses(
          next.minimum / row.minimum, "\(name): the growth from n=\(row.n) to n=\(next.n)")
      }
    }
    return misses
  }
}

extension Threshold.Bounds {
  fileprivate func misses(_ value: Double?, _ what: String) -> [String] {
    guard let value, value.isFinite else { return [] }
    let shown = String(format: "%.2f", value)
    if value > atMost { return ["\(what) is \(shown), above \(atMost): a regression"] }
    if let atLeast, value < atLeast {
      return ["\(what) is \(shown), below \(atLeast): better than recorded; lower its bounds"]
    }
    return []
  }
}
