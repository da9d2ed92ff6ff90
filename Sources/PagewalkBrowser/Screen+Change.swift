extension Screen {
  /// The change from one screen to another, with as few rows drawn as possible.
  struct Change: Equatable {
    /// Rows that the terminal moves by itself, first of all; nil for none.
    var shift: Shift?
    /// The rows that are drawn after that.
    var rows: [Int]
    /// Whether all of the terminal is erased first.
    var erases = false

    /// The cost in rows: to move some is about as much as to draw one.
    fileprivate var cost: Int { rows.count + (shift == nil ? 0 : 1) }
  }

  /// Rows that move within a region; those that move out of it are lost, and empty ones follow.
  struct Shift: Equatable {
    var region: Range<Int>
    /// By how many rows they move up; down if it is negative.
    var distance: Int

    func apply(to rows: [Row], width: Int) -> [Row] {
      var moved = rows
      for index in region {
        let source = index + distance
        moved[index] = region.contains(source) ? rows[source] : Row(width: width)
      }
      return moved
    }
  }

  /// The change from the old screen to this one; all rows if there is none of this size.
  ///
  /// - Complexity: O(*r*²) in the rows that differ.
  func change(from old: Screen?) -> Change {
    guard let old, old.size == size else {
      return Change(rows: Array(rows.indices), erases: true)
    }
    var best = Change(rows: changedRows(from: old.rows))
    guard let first = best.rows.first, let last = best.rows.last, last - first > 1 else {
      return best
    }
    // Rows that stay in place are no reason to move others.
    let changed = best.rows
    for distance in (first - last)...(last - first) where distance != 0 {
      let moved = changed.filter { index in
        (first...last).contains(index + distance) && rows[index] == old.rows[index + distance]
      }
      guard moved.count > 1, let start = moved.first, let end = moved.last else { continue }
      let region = min(start, start + distance)..<(max(end, end + distance) + 1)
      let shift = Shift(region: region, distance: distance)
      let rest = changedRows(from: shift.apply(to: old.rows, width: size.columns))
      let change = Change(shift: shift, rows: rest)
      if change.cost < best.cost { best = change }
    }
    return best
  }

  private func changedRows(from old: [Row]) -> [Int] {
    rows.indices.filter { rows[$0] != old[$0] }
  }

  /// The text that makes a change on a terminal.
  func text(of change: Change) -> String {
    var text = change.erases ? "\u{1B}[0m\u{1B}[2J" : ""
    if let shift = change.shift {
      let (top, bottom) = (shift.region.lowerBound + 1, shift.region.upperBound)
      let step = shift.distance > 0 ? "\(shift.distance)M" : "\(-shift.distance)L"
      // Lines are deleted or inserted at the top of a scrolling region, which ends after that.
      text += "\u{1B}[0m\u{1B}[\(top);\(bottom)r\u{1B}[\(top);1H\u{1B}[\(step)\u{1B}[r"
    }
    for index in change.rows {
      // The row is erased first: a terminal may have used fewer cells for it than it has.
      text += "\u{1B}[\(index + 1);1H\u{1B}[0m\u{1B}[2K"
      for run in rows[index].texts {
        text +=
          run.style == .plain
          ? run.text.string : "\u{1B}[\(run.style.rawValue)m\(run.text.string)\u{1B}[0m"
      }
    }
    return text
  }
}
