/// The fetch of a token, and which others it waits for.
///
/// Fetches that wait for one another in a cycle would never end. So each fetch records what it waits for,
/// then checks for a cycle: the one that completes the cycle detects it. Decorating a request takes part in
/// that: it may wait for fetches, which may wait for the request.
actor TokenFetch {
  /// The fetches that the current task is a part of: it must not wait for any of them.
  ///
  /// The tasks of a store inherit this from the call that began them. What they bring is received without it, by
  /// tasks that do no other work after that, and events and hooks are delivered without it, because what observers
  /// and hooks begin is not part of a fetch; see ``StoreIsolation`` and ``EventQueue``.
  @TaskLocal static var current: [TokenFetch] = []

  /// Calls closures of the program, which are not part of a fetch that calls them.
  static func outside(_ call: () -> Void) {
    if current.isEmpty { call() } else { $current.withValue([], operation: call) }
  }

  /// Those without the decorations that the current task is a part of: what waits for a request.
  ///
  /// A request that a decoration waits for is not a part of that, or it would be authorized again for each
  /// decoration that begins to wait for it.
  static var waiting: [TokenFetch] {
    current.filter { !$0.isDecoration }
  }

  private nonisolated let isDecoration: Bool

  /// The fetches that parts of this one wait for.
  private var awaited: [TokenFetch] = []

  init(isDecoration: Bool = false) { self.isDecoration = isDecoration }

  /// Notes that a part of this fetch waits for another one.
  func beginWaiting(for other: TokenFetch) { awaited.append(other) }

  /// Notes that a part of this fetch does not wait any more.
  func endWaiting(for other: TokenFetch) {
    if let index = awaited.firstIndex(where: { $0 === other }) { awaited.remove(at: index) }
  }

  /// Whether this fetch is one of those, or waits for one of them, be it through others.
  nonisolated func leads(to fetches: [TokenFetch]) async -> Bool {
    var reached = [self]
    var index = 0
    while index < reached.count {
      let next = reached[index]
      if fetches.contains(where: { $0 === next }) { return true }
      for other in await next.awaited where !reached.contains(where: { $0 === other }) {
        reached.append(other)
      }
      index += 1
    }
    return false
  }
}
