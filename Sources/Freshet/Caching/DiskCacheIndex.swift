/// The files of a ``DiskCache`` with their sizes, least recently used first: a pure value.
struct DiskCacheIndex: Sendable {
  private struct Node {
    var name: String
    var byteCount: Int
    var older: Int?
    var newer: Int?
  }

  private var nodes: [Node] = []
  private var free: [Int] = []
  private var positions: [String: Int] = [:]
  private var oldest: Int?
  private var newest: Int?
  /// The bytes of all files.
  private(set) var byteCount = 0

  /// Creates the index of these files, given in the order of their use.
  init(_ files: some Sequence<(name: String, byteCount: Int)> = []) {
    for file in files { use(file.name, byteCount: file.byteCount) }
  }

  /// The number of files.
  var count: Int { positions.count }

  /// The names, least recently used first.
  var names: [String] {
    var names: [String] = []
    var position = oldest
    while let current = position {
      names.append(nodes[current].name)
      position = nodes[current].newer
    }
    return names
  }

  /// The name of the most recently used file.
  var newestName: String? { newest.map { nodes[$0].name } }

  /// The file that was used next after another one; nil for none.
  func file(after name: String) -> (name: String, byteCount: Int)? {
    guard let position = positions[name], let newer = nodes[position].newer else { return nil }
    return (nodes[newer].name, nodes[newer].byteCount)
  }

  /// Makes a file the most recently used one; adds it if it is not known.
  ///
  /// - Parameter size: its bytes; nil if they have not changed, and then only a known file is moved.
  /// - Complexity: O(1).
  mutating func use(_ name: String, byteCount size: Int?) {
    guard let position = positions[name] else {
      guard let size else { return }
      return insert(Node(name: name, byteCount: size))
    }
    if let size {
      byteCount += size - nodes[position].byteCount
      nodes[position].byteCount = size
    }
    unlink(position)
    link(position)
  }

  /// Removes a file, if it is listed.
  ///
  /// - Complexity: O(1).
  mutating func remove(_ name: String) {
    guard let position = positions.removeValue(forKey: name) else { return }
    unlink(position)
    byteCount -= nodes[position].byteCount
    nodes[position].name = ""
    free.append(position)
  }

  /// Removes the files that were not used for the longest time, until the others fit.
  ///
  /// - Returns: their names.
  /// - Complexity: O(*r*) in the removed files.
  mutating func evict(to maximumByteCount: Int) -> [String] {
    var names: [String] = []
    while byteCount > maximumByteCount, let oldest {
      names.append(nodes[oldest].name)
      remove(nodes[oldest].name)
    }
    return names
  }

  private mutating func insert(_ node: Node) {
    let position: Int
    if let reused = free.popLast() {
      position = reused
      nodes[position] = node
    } else {
      position = nodes.count
      nodes.append(node)
    }
    positions[node.name] = position
    byteCount += node.byteCount
    link(position)
  }

  /// Adds a node as the most recently used one.
  private mutating func link(_ position: Int) {
    nodes[position].older = newest
    nodes[position].newer = nil
    if let newest { nodes[newest].newer = position } else { oldest = position }
    newest = position
  }

  private mutating func unlink(_ position: Int) {
    let (older, newer) = (nodes[position].older, nodes[position].newer)
    if let older { nodes[older].newer = newer } else { oldest = newer }
    if let newer { nodes[newer].older = older } else { newest = older }
  }
}

extension DiskCacheIndex {
  /// Stops the program if an invariant does not hold. For tests; O(*n*) in the files.
  func checkInvariants() {
    var (position, previous, linkedCount, sum) = (oldest, Int?.none, 0, 0)
    while let current = position {
      let node = nodes[current]
      precondition(positions[node.name] == current, "\(node.name): position")
      precondition(node.older == previous, "\(node.name): older")
      linkedCount += 1
      precondition(linkedCount <= positions.count, "more links than files")
      sum += node.byteCount
      (position, previous) = (node.newer, current)
    }
    precondition(newest == previous && linkedCount == positions.count, "a file without links")
    precondition(sum == byteCount, "\(sum) bytes, not \(byteCount)")
    precondition(
      Set(free).count == free.count && free.count + linkedCount == nodes.count,
      "free: \(free), \(linkedCount) of \(nodes.count) in use")
  }
}
