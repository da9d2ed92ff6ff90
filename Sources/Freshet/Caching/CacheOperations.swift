/// The operations of one cache, in the order in which they were requested.
struct CacheOperations {
  private(set) var pending = PendingCacheChanges()
  /// The changes that wait for their turn, with their entries, and how many may be under way with each.
  private var turns:
    [PendingCacheChanges.ChangeID: (turn: CacheQueue.Turn, key: ResourceKey?, limit: Int)] =
      [:]
  /// The changes that are carried out now, with their entries and bytes.
  private(set) var running: [PendingCacheChanges.ChangeID: (key: ResourceKey?, byteCount: Int)] =
    [:]
  /// The newest change that has had its turn, and the newest that was carried out with all before it.
  private var begun: PendingCacheChanges.ChangeID = 0
  private var finished: PendingCacheChanges.ChangeID = 0
  /// The callers that wait until a change is carried out with all before it.
  private var flushes: [PendingCacheChanges.ChangeID: [AsyncStream<Void>.Continuation]] = [:]
  private var flushCount = 0
  /// When to look for callers that were cancelled.
  private var flushSchedule = PruneSchedule()
  /// The cache, once it has failed to remove something: another one at its address would be taken for it.
  private var failedCache: (any EntityCache)?

  /// The bytes of changes that are carried out together: what a batch saves counts for small ones only.
  private static let byteLimit = 1 << 20

  var isEmpty: Bool { running.isEmpty && pending.isEmpty }

  mutating func receive(_ message: CacheQueue.Message) {
    switch message {
    case .begin(let use, let key): pending.begin(use, of: key)
    case .look(let use, let key, let reply):
      if let change = pending.change(since: use, of: key) { reply.yield(change) }
      reply.finish()
    case .end(let use, let key): pending.end(use, of: key)
    case .change(let change, let limit, let turn):
      if let accepted = append(change) {
        for id in accepted.superseded { turns.removeValue(forKey: id)?.turn.finish() }
        if let loss = accepted.loss { turn.yield(.loss(loss)) }
        turns[accepted.id] = (turn, change.key, limit)
      } else {
        turn.finish()
      }
      next()
    case .finish(let id, let key, let failed):
      pending.finish(id, of: key, isFailure: failed != nil)
      if pending.hasFailures { failedCache = failedCache ?? failed }
      running[id] = nil
      next()
    case .flush(let reply):
      guard !running.isEmpty else { return reply.finish() }
      if flushSchedule.isDue(at: flushCount) { removeCancelledFlushes() }
      flushes[pending.newest, default: []].append(reply)
      flushCount += 1
    }
  }

  private mutating func append(_ change: CacheQueue.Change) -> PendingCacheChanges.Accepted? {
    switch change {
    case .make(let change, let key, let use): pending.append(change, of: key, by: use)
    case .remove(let key): pending.remove(key)
    case .removeAll(let matches): pending.removeAll(where: matches)
    }
  }

  /// Gives their turn to the next changes that are not superseded by a later one, as far as they may be
  /// carried out beside those that are.
  private mutating func next() {
    while begun < pending.newest {
      let id = begun + 1
      if let (turn, key, limit) = turns[id], let work = pending.work(of: id, on: key) {
        guard mayBegin(work, of: key, limit) else { break }
        running[id] = (key, work.byteCount)
        turn.yield(.begin(id, work))
        turn.finish()
      }
      turns[id] = nil
      begun = id
    }
    let oldest = running.keys.min() ?? begun + 1
    while finished + 1 < oldest {
      finished += 1
      guard let replies = flushes.removeValue(forKey: finished) else { continue }
      flushCount -= replies.count
      for reply in replies { reply.finish() }
    }
  }

  /// Whether a change has not to wait for what is carried out now: two of one entry keep their order, and
  /// the removal of many has nothing beside it.
  private func mayBegin(
    _ work: PendingCacheChanges.Work, of key: ResourceKey?, _ limit: Int
  ) -> Bool {
    guard !running.isEmpty else { return true }
    let byteCount = running.values.reduce(work.byteCount) { $0 + $1.byteCount }
    return running.count < limit && byteCount <= Self.byteLimit && key != nil
      && running.values.allSatisfy { $0.key != nil && $0.key != key }
  }

  /// A cache that hangs would otherwise collect the callers that were cancelled.
  private mutating func removeCancelledFlushes() {
    flushes = flushes.compactMapValues { replies in
      let waiting = replies.filter { if case .terminated = $0.yield() { false } else { true } }
      return waiting.isEmpty ? nil : waiting
    }
    flushCount = flushes.values.reduce(0) { $0 + $1.count }
    flushSchedule.pruned(leaving: flushCount)
  }
}

extension CacheOperations {
  /// Stops the program if an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    pending.checkInvariants()
    precondition(finished <= begun && begun <= pending.newest, "a change has ended before its turn")
    precondition(
      running.keys.allSatisfy { $0 > finished && $0 <= begun }, "one that has ended is under way")
    precondition(turns.keys.allSatisfy { $0 > begun }, "one that has had its turn waits for it")
    precondition(begun == pending.newest || !running.isEmpty, "one waits, and for nothing")
    let keys = running.values.map(\.key)
    precondition(
      keys.count < 2 || !keys.contains(nil), "something is under way beside a removal of many")
    precondition(Set(keys).count == keys.count, "two changes of one entry are under way")
    precondition(
      flushCount == flushes.values.reduce(0) { $0 + $1.count }, "a caller is not counted")
    flushSchedule.checkInvariants(at: flushCount)
    precondition(flushes.keys.allSatisfy { $0 > finished }, "a caller waits for what has ended")
  }
}
