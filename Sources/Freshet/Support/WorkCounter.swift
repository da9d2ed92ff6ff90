/// Counts the work that stores do away from their actors: a clock that a test moves does, so that it
/// moves only when nothing is under way.
package protocol WorkCounter: AnyObject, Sendable {
  /// Work was launched.
  func workBegan()
  /// The result of work was received, or dropped.
  func workEnded()
}
