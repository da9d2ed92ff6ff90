import Foundation

/// Draws time against size, both on logarithmic axes: a panel for each comparison, with Freshet,
/// the naive implementation and the floor.
struct Plot {
  private struct Series {
    let label: String
    let color: String
    /// Size and total nanoseconds.
    let points: [(n: Double, time: Double)]
  }

  private static let names = [
    "walk.fresh", "cascade.cold", "merge.onePage.int.same.middle", "walk.visit",
    "refresh.notModified", "notify.objects",
  ]
  private static let panelWidth = 360.0
  private static let panelHeight = 270.0
  private static let margin = (left: 62.0, right: 16.0, top: 34.0, bottom: 40.0)

  private let panels: [(name: String, series: [Series])]

  init(_ rows: [Row]) {
    panels = Plot.names.compactMap { name in
      let own = rows.filter { $0.name == name }.sorted { $0.n < $1.n }
      let naive = rows.filter { $0.name == name + "/naive" }.sorted { $0.n < $1.n }
      guard own.count > 1 else { return nil }
      let floor = own.compactMap { row in
        row.baseline.map { (n: Double(row.n), time: $0.samples.median * row.whole) }
      }
      let series = [
        Series(label: "Freshet", color: "#0b66c3", points: own.map(\.point)),
        Series(label: "naive", color: "#c2410c", points: naive.map(\.point)),
        Series(label: own[0].baseline?.name ?? "", color: "#6b7280", points: floor),
      ]
      return (name, series.filter { !$0.points.isEmpty })
    }
  }

  /// The drawing.
  var svg: String {
    let columns = 3
    let lines = (panels.count + columns - 1) / columns
    let (width, height) = (Plot.panelWidth * Double(columns), Plot.panelHeight * Double(lines))
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
      font-family="sans-serif" font-size="11" fill="#374151">
      <rect width="\(Int(width))" height="\(Int(height))" fill="#ffffff"/>

      """
    for (index, panel) in panels.enumerated() {
      let x = Plot.panelWidth * Double(index % columns)
      let y = Plot.panelHeight * Double(index / columns)
      svg += "<g transform=\"translate(\(Int(x)) \(Int(y)))\">\n"
      svg += draw(panel.name, panel.series)
      svg += "</g>\n"
    }
    return svg + "</svg>\n"
  }

  private func draw(_ name: String, _ series: [Series]) -> String {
    let points = series.flatMap(\.points)
    let across = Axis(
      points.map(\.n), from: Plot.margin.left, to: Plot.panelWidth - Plot.margin.right)
    let up = Axis(
      points.map(\.time), from: Plot.panelHeight - Plot.margin.bottom, to: Plot.margin.top)
    var svg = "<text x=\"\(Plot.margin.left)\" y=\"18\" font-weight=\"bold\">\(name)</text>\n"
    for decade in across.decades {
      let x = across.place(of: pow(10, Double(decade)))
      svg += line(x, up.start, x, up.end, "#e5e7eb")
      svg += text(x, up.start + 16, "middle", Plot.count(decade))
    }
    for decade in up.decades {
      let y = up.place(of: pow(10, Double(decade)))
      svg += line(across.start, y, across.end, y, "#e5e7eb")
      svg += text(across.start - 6, y + 4, "end", Plot.time(decade))
    }
    for (index, each) in series.enumerated() {
      let path = each.points.map { point in
        String(format: "%.1f,%.1f", across.place(of: point.n), up.place(of: point.time))
      }
      svg += "<polyline fill=\"none\" stroke=\"\(each.color)\" stroke-width=\"2\" points=\""
      svg += path.joined(separator: " ") + "\"/>\n"
      let x = across.start + 8
      let y = up.end + 12 + 14 * Double(index)
      svg += "<text x=\"\(x)\" y=\"\(y)\" fill=\"\(each.color)\">\(each.label)</text>\n"
    }
    return svg
  }

  private func line(_ x: Double, _ y: Double, _ x2: Double, _ y2: Double, _ color: String) -> String
  {
    String(
      format: "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"", x, y, x2, y2)
      + color + "\"/>\n"
  }

  private func text(_ x: Double, _ y: Double, _ anchor: String, _ text: String) -> String {
    String(format: "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"", x, y)
      + anchor + "\">\(text)</text>\n"
  }

  private static func count(_ decade: Int) -> String {
    ["1", "10", "100", "1,000", "10⁴", "10⁵", "10⁶"].indices.contains(decade)
      ? ["1", "10", "100", "1,000", "10⁴", "10⁵", "10⁶"][decade] : "10^\(decade)"
  }

  private static func time(_ decade: Int) -> String {
    let unit = ["ns", "µs", "ms", "s"][min(max(decade / 3, 0), 3)]
    let digits = decade - 3 * min(max(decade / 3, 0), 3)
    return "\(Int(pow(10, Double(max(digits, 0))))) \(unit)"
  }
}

/// A logarithmic axis.
private struct Axis {
  /// The start and the end of the axis on the page.
  let start: Double
  let end: Double
  /// The powers of ten from below the least value to above the largest.
  let decades: ClosedRange<Int>

  init(_ values: [Double], from start: Double, to end: Double) {
    self.start = start
    self.end = end
    let lowest = Int(log10(values.min() ?? 1).rounded(.down))
    decades = lowest...max(lowest + 1, Int(log10(values.max() ?? 10).rounded(.up)))
  }

  func place(of value: Double) -> Double {
    let part =
      (log10(value) - Double(decades.lowerBound)) / Double(decades.upperBound - decades.lowerBound)
    return start + part * (end - start)
  }
}

extension Row {
  /// The factor from a figure to the total.
  fileprivate var whole: Double {
    unit == .nsPerPage || unit == .nsPerDelivery ? Double(n) : 1
  }

  fileprivate var point: (n: Double, time: Double) { (Double(n), median * whole) }
}
