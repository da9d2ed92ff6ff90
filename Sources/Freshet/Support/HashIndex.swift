/// A hash table of the positions in an array that have a given hash: it stores neither keys nor
/// values, only positions, and takes about 20 bytes for each.
///
/// The caller knows the value at a position, and compares; equal hashes are only candidates. Positions
/// are small numbers that are reused, like indices of an array with a list of free ones.
struct HashIndex {
  private static let none: Int32 = -1

  /// The first position of each chain; their number is a power of two.
  private var chains: [Int32] = [HashIndex.none]
  /// The next position in the chain of each position.
  private var next: [Int32] = []
  private var hashes: [UInt32] = []
  private var count = 0

  /// Adds a position that is not in the table.
  ///
  /// - Complexity: amortized O(1).
  mutating func insert(_ position: Int32, hash: Int) {
    let index = Int(position)
    if index >= next.count {
      next += repeatElement(HashIndex.none, count: index + 1 - next.count)
      hashes += repeatElement(0, count: index + 1 - hashes.count)
    }
    hashes[index] = UInt32(truncatingIfNeeded: hash)
    count += 1
    if count > chains.count { grow() }
    link(position)
  }

  /// Removes a position that was added to this table.
  ///
  /// - Complexity: O(1) on average.
  mutating func remove(_ position: Int32) {
    let chain = chain(of: hashes[Int(position)])
    count -= 1
    if chains[chain] == position {
      chains[chain] = next[Int(position)]
      return
    }
    var previous = chains[chain]
    while next[Int(previous)] != position { previous = next[Int(previous)] }
    next[Int(previous)] = next[Int(position)]
  }

  /// The first position with that hash that satisfies the predicate.
  ///
  /// - Complexity: O(1) on average.
  func first(hash: Int, where isSought: (Int32) -> Bool) -> Int32? {
    let hash = UInt32(truncatingIfNeeded: hash)
    var position = chains[chain(of: hash)]
    while position != HashIndex.none {
      if hashes[Int(position)] == hash, isSought(position) { return position }
      position = next[Int(position)]
    }
    return nil
  }

  private func chain(of hash: UInt32) -> Int { Int(hash) & (chains.count - 1) }

  private mutating func link(_ position: Int32) {
    let chain = chain(of: hashes[Int(position)])
    next[Int(position)] = chains[chain]
    chains[chain] = position
  }

  private mutating func grow() {
    let old = chains
    chains = Array(repeating: HashIndex.none, count: 2 * old.count)
    for first in old {
      var position = first
      while position != HashIndex.none {
        let following = next[Int(position)]
        link(position)
        position = following
      }
    }
  }
}

extension HashIndex {
  /// Stops the program if an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(chains.count.nonzeroBitCount == 1, "\(chains.count) chains")
    var found: Set<Int32> = []
    for (chain, first) in chains.enumerated() {
      var position = first
      while position != HashIndex.none {
        precondition(found.insert(position).inserted, "position \(position): twice")
        precondition(self.chain(of: hashes[Int(position)]) == chain, "position \(position): chain")
        position = next[Int(position)]
      }
    }
    precondition(found.count == count && count <= chains.count, "\(count) positions")
  }
}
