/// The measured values of one figure, and their distribution.
struct Samples {
  private(set) var values: [Double] = []

  var count: Int { values.count }
  var median: Double { quantile(0.5) }

  mutating func append(_ value: Double) {
    values.append(value)
  }

  /// The quantile of the samples, interpolated between neighbors.
  func quantile(_ part: Double) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.last else { return .nan }
    let place = part * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
  }
}
