/// The pages after the next one of a list that is counted, up to the last that the response counts.
///
/// An object, because most pages have none: then it costs them one word.
final class PagesAhead: Sendable {
  private let parameter: String
  /// The number or offset of the page after the next one.
  private let first: Int
  private let step: Int
  /// The first number or offset that no page has any more.
  private let end: Int

  /// Makes what a style has counted; nil where no page is known to follow the next one.
  ///
  /// - Parameter total: the number of items in the whole list, where it is known.
  init?(_ counting: PageStyle.Counting?, total: Int?) {
    guard let counting, counting.step > 0, let end = counting.end(total: total) else { return nil }
    let (first, overflows) = counting.next.addingReportingOverflow(counting.step)
    guard !overflows, first < end else { return nil }
    parameter = counting.parameter
    self.first = first
    step = counting.step
    self.end = end
  }

  /// Links to as many of these pages, in order.
  func links(_ count: Int) -> [PageLink] {
    var links: [PageLink] = []
    var number = first
    while links.count < count, number < end {
      links.append(PageLink(.query(parameter, String(number))))
      let (next, overflows) = number.addingReportingOverflow(step)
      guard !overflows else { break }
      number = next
    }
    return links
  }
}

extension Page {
  /// Links to the pages that follow the one that ``next`` leads to, relative to this page as that one is.
  ///
  /// Nothing where the style does not count, or the response does not say how long the list is.
  ///
  /// - Parameter count: how many links are wanted; there may be fewer.
  func links(ahead count: Int) -> [PageLink] {
    next == nil ? [] : ahead?.links(count) ?? []
  }
}

extension PageStyle {
  /// How a style that counts goes on from a page.
  struct Counting: Sendable, Hashable {
    var parameter: String
    /// The number or offset that the next link asks for.
    var next: Int
    /// How much is added from one page to the one after it.
    var step: Int
    /// The number of the first page, or 0 for offsets.
    var first: Int
    /// How many items one number stands for: 1 for offsets.
    var itemsPerNumber: Int
    /// How many numbers there are, where the response says so; else the total does.
    var count: Int?

    /// The first number that no page has any more; nil where it is not known, or `Int` cannot hold it.
    func end(total: Int?) -> Int? {
      guard let count = count ?? total.map({ $0.dividedRoundingUp(by: itemsPerNumber) }) else {
        return nil
      }
      let (end, overflows) = first.addingReportingOverflow(max(count, 0))
      return overflows ? nil : end
    }
  }
}

extension Int {
  /// The quotient of a number that is not negative and one that is positive, rounded up.
  fileprivate func dividedRoundingUp(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder > 0 ? quotient + 1 : quotient
  }
}
