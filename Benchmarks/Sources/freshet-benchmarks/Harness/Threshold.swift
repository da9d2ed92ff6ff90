import Foundation

/// What a figure has to be: a line of a file in `Benchmarks/Thresholds`.
///
/// Ratios, growth and bytes only: how long something takes says more about the machine than about the
/// program. They are compared by the least of all samples, which is the same on a busy machine.
struct Threshold: Decodable {
  /// What is still right. What is below is better than recorded, which has to be recorded as well:
  /// otherwise it could be lost again and nobody would know.
  struct Bounds: Decodable {
    var atLeast: Double?
    var atMost: Double
  }

  /// The name of the rows.
  let name: String
  /// The size of the row; nil where growth is meant.
  var n: Int?
  /// How many times as much as the baseline.
  var ratio: Bounds?
  /// How many times as much, in the unit of the row, from one size to the next.
  var growth: Bounds?
  /// Bytes of the heap.
  var bytes: Bounds?

  /// All thresholds that are recorded.
  static func recorded() throws -> [Threshold] {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Thresholds").standardized
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".json") }
      .flatMap { file in
        try JSONDecoder().decode(
          [Threshold].self, from: Data(contentsOf: folder.appending(path: file)))
      }
  }

  /// What is wrong with the rows, in a sentence for each; empty where all is as recorded.
  ///
  /// - Parameter mayBeMissing: whether a row that was not measured is passed over.
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
