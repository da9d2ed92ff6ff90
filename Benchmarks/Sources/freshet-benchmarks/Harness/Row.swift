import Foundation

/// The result of one measurement: a line of the report.
struct Row {
  let name: String
  let n: Int
  let unit: Unit
  let samples: Samples
  /// The baseline, if there is one.
  var baseline: (name: String, samples: Samples)?

  var median: Double { samples.median }
  /// The least value: the sample with the least disturbance by other load.
  var minimum: Double { samples.quantile(0) }
  /// The ratio to the baseline, by the medians.
  var ratio: Double? { baseline.map { median / $0.samples.median } }
  /// The ratio to the baseline by the least values, which other load hardly changes.
  ///
  /// Of processor time the medians: other threads may do in one sample what another has begun, and so the
  /// least of its samples is luck.
  var undisturbedRatio: Double? {
    name.hasSuffix(".cpu") ? ratio : baseline.map { minimum / $0.samples.quantile(0) }
  }

  /// The row as a JSON object with its members in the documented order.
  var json: String {
    // A value that the system does not report is no number; in JSON it is null.
    func number(_ value: Double?) -> String {
      value.flatMap { $0.isFinite ? Row.digits($0) : nil } ?? "null"
    }
    let members = [
      ("name", "\"\(name)\""), ("n", "\(n)"), ("unit", "\"\(unit.rawValue)\""),
      ("median", number(median)), ("p25", number(samples.quantile(0.25))),
      ("p75", number(samples.quantile(0.75))), ("samples", "\(samples.count)"),
      ("baseline", baseline.map { "\"\($0.name)\"" } ?? "null"),
      ("baselineMedian", number(baseline?.samples.median)), ("ratio", number(ratio)),
    ]
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  /// All rows as one JSON array, one row per line.
  static func json(_ rows: [Row]) -> String {
    "[\n" + rows.map(\.json).joined(separator: ",\n") + "\n]\n"
  }

  /// The row as a line of the table.
  var line: String {
    let spread = [0, 0.25, 0.5, 0.75, 0.9].map { Row.cell(Row.digits(samples.quantile($0)), 11) }
    let compared = baseline.map { baseline in
      "  \(Row.digits(ratio ?? .nan))× \(baseline.name) (\(Row.digits(baseline.samples.median)))"
    }
    let size = Row.cell("\(n)", 9)
    let unit = Row.cell(unit.rawValue, 13)
    return name.padding(toLength: max(34, name.count), withPad: " ", startingAt: 0)
      + size + spread.joined() + unit + (compared ?? "")
  }

  /// The heading of the table.
  static let heading =
    "name".padding(toLength: 34, withPad: " ", startingAt: 0)
    + ["n"].map { cell($0, 9) }.joined()
    + ["min", "p25", "median", "p75", "p90"].map { cell($0, 11) }.joined() + cell("unit", 13)

  private static func cell(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  /// The value with its significant digits.
  private static func digits(_ value: Double) -> String {
    String(format: abs(value) < 100 ? "%.2f" : "%.0f", value)
  }
}
