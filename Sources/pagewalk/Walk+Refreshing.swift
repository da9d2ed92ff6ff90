import Foundation
import Freshet

/// Refreshing: what changed, and what failed.
extension Walk {
  /// Refreshes once and shows what changed.
  ///
  /// - Returns: the outcome before anything was printed: an interrupt after that has not stopped
  ///   the refresh itself.
  func refresh(_ number: Int) async -> Outcome {
    let before = meter.counts
    demo?.willRefresh(collection)
    beginChecking()
    collection.refresh()
    await collection.settled()
    await findRepetitionAgain()
    console.clearLine()
    let outcome = outcome
    let changes = takeChanges()
    let counts = meter.counts - before
    if let story {
      story.refreshed(changes, counts: counts, outcome: outcome)
      return outcome
    }
    for change in changes {
      if options.watchInterval == nil {
        console.note(json: change.line)
      } else {
        console.print(change.line + "\n")
      }
    }
    if !options.isQuiet, outcome.allowsRefresh {
      console.report(
        """
        refresh \(number): \(count(counts.requests, "request")), \(counts.notModified) confirmed by \
        304 (not modified), \(count(changes.count, "change")) in the merged items
        """)
    }
    return outcome
  }

  /// Refreshes until the user stops it. A failed refresh is a warning: the next one may succeed. It is no earlier
  /// than the server asks.
  ///
  /// - Returns: the state of the list when it was stopped. Stopping a refresh leaves that as it is, unless a part of
  ///   its changes was printed and the rest was not loaded.
  func watch(every interval: Duration, from first: Outcome) async -> Outcome {
    reportCacheFailure()
    reportRecognizedStyle()
    var latest = first
    var number = 0
    var wait = interval
    while !interrupts.hasCome, !console.isClosed {
      await pause(for: wait)
      console.detectReader()
      guard !interrupts.hasCome, !console.isClosed else { break }
      number += 1
      let (list, pageCount) = (printedList, pageCount)
      let outcome = await refresh(number)
      guard !outcome.isInterrupted else {
        if printedList == list {
          keepPageCount(pageCount)
        } else if latest.explanation == nil, hasUnfinishedRefresh(after: latest) {
          latest = outcome
        }
        break
      }
      latest = outcome
      wait = interval
      guard let explanation = latest.explanation, !latest.allowsRefresh else { continue }
      var text = explanation
      var next = "the next one is in \(interval.inSeconds)"
      if let requested = latest.wait {
        let remaining = Duration.seconds(requested.end.timeIntervalSince(clock.date))
        if remaining > interval {
          wait = remaining
          text = requested.problem
          next =
            "the server asks to wait; the next refresh is at "
            + "\(dateText(requested.end, now: clock.date)), in \(wait.inSeconds)"
        }
      }
      console.report("refresh \(number) failed: \(secrets.hidden(in: text)); \(next)")
    }
    latest.isInterrupted = true
    return latest
  }

  /// Whether the list is no longer as whole as it was before a refresh that was stopped: its pages lead to another one,
  /// which was not loaded.
  private func hasUnfinishedRefresh(after outcome: Outcome) -> Bool {
    outcomeOfList.status != outcome.status || linkedItemCount < itemCount
  }
}
