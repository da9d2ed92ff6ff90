/// Counts the work of stores off their actors: a manual clock does, so that it advances only when
/// no work is under way.
package protocol WorkCounter: Sendable {
  /// Work was launched.
  func workBegan()
  /// The result of work was received, or dropped.
  func workEnded()
}
