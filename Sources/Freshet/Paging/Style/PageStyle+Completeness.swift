/// Detects responses that look like the end of a list but are not.
extension PageStyle.Response {
  /// Refuses an empty page without a next link whose body says that its items are yet to come, as BigQuery's
  /// `"jobComplete": false` does. A flag that the request has as a parameter is that of a filter.
  func requireReadiness(next: PageLink?) throws(PageError) {
    guard next == nil, head.itemCount == 0 else { return }
    let isUnready = pageMembers.contains {
      $0.name.isOfReadiness && $0.value.bool == false
        && !RequestParameters(head.request).filters(by: $0.name)
    }
    if isUnready { throw .notReady(status: head.status) }
  }

  /// Refuses a page without a next link whose body says that there are more items.
  func requireCompleteness(next: PageLink?) throws(PageError) {
    guard next == nil else { return }
    let members = pageMembers
    if let sign = members.flag(ofMore: true)?.sign(.flag)
      ?? (members.haveNullLink ? nil : members.linkToLater(than: head) { totalCount })
    {
      throw .unknownContinuation(sign)
    }
  }

  /// The error of a page that is another one than was requested, by its own number or offset.
  ///
  /// - Parameters:
  ///   - counting: how the style counts.
  ///   - isExact: whether the response counts as the request does. A page may be numbered from another
  ///     first one, and an offset may be that of the first item or of the next page.
  func otherPage(_ counting: PageStyle.Counting, isExact: Bool) -> PageError? {
    let requested = counting.next - counting.step
    guard requested > counting.first else { return nil }
    let name = counting.counter.name
    let numbers = statedNumbers(name)
    let other = name.isOffset ? [requested + 1, counting.next] : [requested - 1, requested + 1]
    guard let number = numbers.first, !numbers.contains(requested),
      isExact || !numbers.contains(where: other.contains)
    else { return nil }
    return .otherPage(number, requested: requested)
  }

  /// The numbers or offsets that the response has of its page, under the name of a parameter or a usual one.
  private func statedNumbers(_ parameter: MemberName) -> [Int] {
    pageObjects.compactMap {
      parameter.isOffset
        ? $0.number(parameter.joined)
        : $0.pageNumber ?? $0.number(parameter.joined) ?? $0.springNumber
    }
  }

  /// The number that the response to a request without one has, where the style begins with another: the one before
  /// for pages, and 1 for items.
  func otherFirst(_ counting: PageStyle.Counting) -> Int? {
    guard counting.isFirst else { return nil }
    let name = counting.counter.name
    if counting.first > 0 {
      let number = statedNumbers(name).first
      return number == counting.first - 1 ? number : nil
    }
    // The number 1 after one item may be that of the next page, unless it is named for the start.
    guard counting.isOfItems, counting.next > 1 || name.numbersItems else { return nil }
    let states = pageObjects.contains { object in
      object.members.contains { $0.name.text == name.text && $0.value.statedCount == 1 }
    }
    return states ? 1 : nil
  }

  /// The error of a page after one that was skipped: the first page has the number before the first one of the style,
  /// and this page the number that was requested. If each has one less, the server counts so in its responses alone.
  func skippedPage(_ counting: PageStyle.Counting) -> PageError? {
    guard let first = counting.lesserFirst, !counting.isFirst,
      statedNumbers(counting.counter.name).first == counting.next - counting.step
    else { return nil }
    return .skippedPage(parameter: counting.counter.parameter, first: first)
  }
}

extension MemberName {
  /// Whether a flag of this name says that what was requested is ready: not that of a thing or a filter, as
  /// `profileComplete` and `includeDone` are, and as a single word may be.
  fileprivate var isOfReadiness: Bool {
    let words = words
    guard ListSign(joined) == nil, words.count > 1, let last = words.last else { return false }
    return ["complete", "completed", "done", "finished", "ready"].contains(last)
      && words.dropLast().allSatisfy(Self.works.contains)
  }

  private static let works: Set = [
    "is", "are", "job", "query", "search", "request", "operation", "execution", "statement", "scan",
    "result", "results", "response", "data", "rows", "items", "list", "report", "export",
  ]
}

extension PageStyle.Head {
  /// Refuses a page without a next link whose header fields show that it is incomplete.
  func requireCompleteness(next: PageLink?, _ style: PageStyle) throws(PageError) {
    // The client counts on, whatever the page is.
    if isUnready, next == nil || style.isCounting { throw .notReady(status: status) }
    guard next == nil else { return }
    if style.isRecognized || style.form == .linkHeader, let linkToLater {
      throw .unknownContinuation(linkToLater)
    }
    // A part whose end is not known is not the last one; but the client counts to a page without items.
    if let range = headers["Content-Range"],
      !(isEndOfRange ?? (status != 206 || style.isCounting && itemCount == 0))
    {
      throw .partOfRange(range, itemCount: itemCount)
    }
  }

  /// Whether the server has only accepted the request, and has no items yet.
  var isUnready: Bool { status == 202 && itemCount == 0 }

  /// Whether `Content-Range` shows that no items follow those of the page, or that some do; nil if it decides nothing.
  ///
  /// Some servers send the offset after the last item as the last one; so the range is used only if
  /// the number of items does not decide.
  var isEndOfRange: Bool? {
    guard let (range, size) = itemRange else { return nil }
    let bounds = range.split(separator: "-", omittingEmptySubsequences: false)
      .map { Int(wireCount: $0) }
    if bounds.count == 2, let first = bounds[0], let last = bounds[1] {
      guard first <= last else { return nil }
      let (end, overflows) = first.addingReportingOverflow(itemCount)
      if let size { return overflows || end >= size }
      return overflows || last < end ? nil : false
    }
    // `*/319`: no range, as for a request past the end.
    guard range == "*", let size, !RequestParameters(request).mayContinue else { return nil }
    return itemCount >= size
  }

  /// The parts of a `Content-Range` in a unit that counts items, RFC 9110 section 14.4: `items 0-24/319`, or
  /// `0-24/319` without a unit; nil if there is none.
  var itemRange: (range: Substring, size: Int?)? {
    guard let field = headers["Content-Range"] else { return nil }
    // Some servers write `items=0-24/319`, or spaces around the `/`.
    let words = field.split { " \t=".contains($0) }
    guard words.first?.lowercased() != "bytes" else { return nil }
    let isRange = { (word: Substring) in word.first.map { "0123456789*/-".contains($0) } ?? false }
    let parts = words.filter(isRange).joined().split(
      separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 ? (parts[0], Int(wireCount: parts[1])) : nil
  }
}
