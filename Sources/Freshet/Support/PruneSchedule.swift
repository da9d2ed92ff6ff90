/// When to look in a collection for what has expired: once it has twice as many elements as were left the last time.
///
/// So looking costs the same for each element that was added, however many there are.
struct PruneSchedule {
  /// The count below which looking is never worth it.
  static var minimum: Int { 16 }

  /// In four bytes: every resource has one.
  private var threshold = Int32(PruneSchedule.minimum)

  /// Whether to look now that there are so many elements, and then to call ``pruned(leaving:)``.
  func isDue(at count: Int) -> Bool { count >= Int(threshold) }

  /// Notes that what had expired was removed.
  mutating func pruned(leaving count: Int) {
    threshold = Int32(clamping: max(PruneSchedule.minimum, 2 * count))
  }

  /// Notes that so many elements are left, of which some may have expired.
  mutating func shrunk(to count: Int) {
    threshold = min(threshold, Int32(clamping: max(PruneSchedule.minimum, 2 * count)))
  }

  /// Stops the program if a collection of so many elements was not pruned in time. For tests.
  func checkInvariants(at count: Int) {
    precondition(count <= Int(threshold), "\(count) elements, of at most \(threshold)")
  }
}
