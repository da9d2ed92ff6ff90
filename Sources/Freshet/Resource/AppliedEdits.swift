/// The edits that are being applied in a store, one within another, and what they have made.
///
/// What an edit makes is held until the change is made that the edit is a part of: deallocating it may run
/// code of the program that changes a resource, which an edit may not.
final class AppliedEdits {
  /// The content that edits have made, in order.
  private(set) var results: [AnyContent] = []
  private var depth = 0

  /// Whether no edit is being applied.
  var isIdle: Bool { depth == 0 }

  /// A change begins to apply edits.
  func begin() { depth += 1 }

  /// The newest of the changes has applied its edits.
  func end() { depth -= 1 }

  /// Holds what an edit has made.
  func hold(_ result: AnyContent) { results.append(result) }

  /// The results after the first ones, which are held no longer.
  func takeResults(after count: Int) -> [AnyContent] {
    guard results.count > count else { return [] }
    defer { results.removeLast(results.count - count) }
    return Array(results[count...])
  }

  /// Stops the program if an edit has not ended, or what it made is held for no change. For tests.
  func checkInvariants() {
    precondition(isIdle && results.isEmpty, "an edit has not ended: \(depth), \(results.count)")
  }
}
