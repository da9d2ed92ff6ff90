import Freshet

/// The reports of a walk on standard error.
extension Walk {
  /// Reports that a request is retried.
  func report(_ retry: Retry) {
    guard !options.isQuiet, collection.isLoading else { return }
    console.report(secrets.hidden(in: retry.line(in: collection)))
  }

  /// Reports a list that counts as complete although nothing in the response says so.
  func reportSinglePage(_ outcome: Outcome) {
    guard outcome.status == .complete, let page = collection.firstPage.latestData?.content else {
      return
    }
    if let path = page.pathOfNothing {
      console.report(
        "warning: there is nothing at '\(path)', so the page is taken for the whole list; "
          + "if there are more pages, correct --style")
    }
    guard let end = page.presumedEnd else { return }
    switch end {
    case .overlooked:
      console.report(
        "warning: \(end): correct --style, or use --style single if this is the whole list")
    case .empty(_, let other):
      console.report("warning: \(end): \(adviceToName(items: other))")
    case .found(_, let other):
      console.report("warning: \(end): \(adviceToName(items: other)); \(adviceToCount(page))")
    case .bareArray, .object, .count:
      console.report(
        "warning: \(end); \(adviceToCount(page)); --style single says that this is all")
    }
  }

  private func adviceToName(items path: JSONPath) -> String {
    "if that is the list, --items \(ShellWord.quoted("\(path)"))"
  }

  /// The styles that may continue a list of which nothing says how.
  private func adviceToCount(_ page: Page<JSONText>) -> String {
    let counting = page.presumption?.counting.flatMap { $0.name.isStyle ? [$0.name] : nil }
    let styles = counting ?? ["page=page", "offset=offset"]
    let advice =
      styles.map { "--style " + ShellWord.quoted($0) }.joined(separator: " or ")
      + (options.body == nil ? "" : PageError.placeOfCount(styles[0]))
    return "if there are more pages, name a style, such as \(advice)"
  }

  /// Reports the outcome.
  func report(_ outcome: Outcome, after elapsed: Duration) -> ExitStatus {
    let outcome = console.isClosed ? .interrupted : outcome
    console.clearLine()
    reportWarnings(of: outcome)
    // A watch has reported it when it began.
    if phase != .watching { reportRecognizedStyle() }
    reportConclusion(outcome)
    if options.printsSummary { reportSummary(of: outcome, after: elapsed) }
    if interrupts.hasCome { return .interrupted }
    return outcome.explanation == nil ? .complete : .incomplete
  }

  /// Reports what makes the list doubtful, whatever its outcome.
  private func reportWarnings(of outcome: Outcome) {
    if let message = meter.oddity(.mislabeledContent) {
      console.report("warning: \(secrets.hidden(in: message))")
    }
    // The last page that comes again is another one than was requested.
    if !isRepeated, !console.isClosed, let message = meter.oddity(.doubtfulPage) {
      console.report("warning: \(secrets.hidden(in: message))")
    }
    if !options.isQuiet, isRepeated, outcome.status == .complete {
      console.report(
        "note: the server sends page \(pageCount) for later numbers as well: the list ends there")
    }
    warnOfMissingIdentities()
    warnOfOtherTotal(outcome)
  }

  /// Reports how the walk ended, and how much was printed.
  private func reportConclusion(_ outcome: Outcome) {
    let amount = "\(count(writtenItemCount, "item")) of \(count(pageCount, "page"))"
    guard !console.isUnread else {
      let rest = unwrittenCount > 0 ? count(unwrittenCount, "item") : "something"
      return console.report(
        "interrupted: \(rest) not written, because nothing read standard output (printed: \(amount))"
      )
    }
    // If its reader has left, there is no one to report to.
    guard !console.isClosed else { return }
    if let explanation = outcome.explanation.map(secrets.hidden) {
      reportIncomplete(outcome, explanation: explanation, amount: amount)
    } else if outcome.isInterrupted {
      console.report("interrupted: \(amount), \(outcome.status)")
    } else if let story {
      story.end()
    } else if !options.isQuiet {
      console.report("\(amount), \(outcome.status)")
    }
  }

  private func reportIncomplete(_ outcome: Outcome, explanation: String, amount: String) {
    let interrupted = outcome.isInterrupted && outcome != .interrupted ? "interrupted, " : ""
    let verb = story == nil ? "printed" : "loaded"
    let refresh = isRefreshFailed ? "the refresh failed at " : ""
    let unconfirmed = unconfirmedItemCount
    let note =
      unconfirmed > 0 ? ", \(unconfirmed) of them from the cache, not confirmed by the server" : ""
    console.report(
      "\(interrupted)incomplete: \(refresh)\(explanation) (\(verb): \(amount)\(note))")
  }

  /// Reports the outcome as JSON, for scripts.
  private func reportSummary(of outcome: Outcome, after elapsed: Duration) {
    console.note(
      Summary(
        outcome: outcome, pages: pageCount, items: writtenItemCount,
        duplicates: collection.duplicateCount, counts: meter.counts, elapsed: elapsed
      ).json)
  }

  /// How many items of the list were printed, or shown in the story.
  private var writtenItemCount: Int { itemCount - unwrittenCount }

  /// Reports the options that name the style which was recognized, for a script that is to depend on it.
  func reportRecognizedStyle() {
    guard !options.isQuiet, !console.isClosed, demo == nil, options.style.isAuto, !isRepeated,
      let style = collection.firstPage.latestData?.content.style, !style.isAuto,
      let argument = style.form.argument
    else { return }
    let items =
      style.itemsPath.map { $0 == .root ? "" : " --items \(ShellWord.quoted("\($0)"))" } ?? ""
    console.report("note: the pages are those of --style \(ShellWord.quoted(argument))\(items)")
  }

  /// Warns if a list counts as complete, and the server counts other items.
  private func warnOfOtherTotal(_ outcome: Outcome) {
    guard outcome.status == .complete, !console.isClosed, !collection.hasPreviousPage,
      let total = collection.totalCount
    else { return warnOfChangedPages(outcome) }
    let (items, copies) = (itemCount, collection.duplicateCount)
    let before = collection.firstPage.latestData?.content.countedOffset ?? 0
    let reason: String
    if before + items + copies < total {
      reason = "pages are missing (--style), or the URL begins later in the list"
    } else if items > total {
      reason = options.identity == nil ? "some came twice (--id), or that" : "that"
    } else {
      return warnOfChangedTotal(total)
    }
    console.report(
      "warning: the server counts \(count(total, "item")), not \(items): perhaps \(reason)"
        + (items > total ? " is no exact count" : ""))
  }

  /// Warns if the list has changed while its pages were counted, so that items moved from one to another,
  /// or if it became shorter than it was.
  private func warnOfChangedTotal(_ total: Int) {
    guard let first = collection.firstPage.latestData?.content, let older = first.totalCount,
      first.style.isCounting ? older != total : older > total
    else { return }
    warnOfChange(from: count(older, "item"), to: total)
  }

  /// Warns if the number of pages has changed during the walk, in a list of which the server counts those alone.
  private func warnOfChangedPages(_ outcome: Outcome) {
    guard outcome.status == .complete, !console.isClosed,
      let older = collection.firstPage.latestData?.content.countedPages,
      let newer = collection.pages.last(where: { $0.content?.items.isEmpty == false })?.content?
        .countedPages,
      newer != older
    else { return }
    warnOfChange(from: count(older, "page"), to: newer)
  }

  private func warnOfChange(from older: String, to newer: Int) {
    console.report(
      "warning: the list changed during the walk, from \(older) to \(newer): some may be "
        + "missing or have come twice; --refresh 1 reads it again")
  }

  var isRefreshFailed: Bool {
    if case .failed = collection.refreshState { true } else { false }
  }

  /// Warns of items without an identity at the given path: every copy of them is printed.
  private func warnOfMissingIdentities() {
    guard let identity = options.identity else { return }
    let missing = collection.items.count { $0.identity(at: identity) == nil }
    guard missing > 0 else { return }
    console.report(
      "warning: \(count(missing, "item")) of \(collection.items.count) "
        + "without '\(identity)': correct --id")
  }
}
