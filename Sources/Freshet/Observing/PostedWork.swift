/// Work after the events of its change, which is posted without a closure.
protocol PostedWork: AnyObject {
  /// Does the work, once the events that were posted before it have been delivered.
  func performPosted()
}
