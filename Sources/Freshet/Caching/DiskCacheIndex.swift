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
  private var places: [String: Int] = [:]
  private var oldest: Int?
  private var newest: Int?
  /// The bytes of all files.
  private(set) var byteCount = 0

  /// Makes the index of these files, given in the order of their use.
  init(_ files: some Sequence<(name: String, byteCount: Int)> = []) {
    for file in files { use(file.name, byteCount: file.byteCount) }
  }

  /// The number of files.
  var count: Int { places.count }

  /// The names, least recently used first.
  var names: [String] {
    var names: [String] = []
    var place = oldest
    while let current = place {
      names.append(nodes[current].name)
      place = nodes[current].newer
    }
    return names
  }

  /// Makes a file the most recently used one; adds it where it is not known.
  ///
  /// - Parameter size: its bytes; nil where they have not changed, and then only a known file is moved.
  /// - Complexity: O(1).
  mutating func use(_ name: String, byteCount size: Int?) {
    guard let place = places[name] else {
      guard let size else { return }
      return insert(Node(name: name, byteCount: size))
    }
    if let size {
      byteCount += size - nodes[place].byteCount
      nodes[place].byteCount = size
    }
    unlink(place)
    link(place)
  }

  /// Removes a file, if it is listed.
  ///
  /// - Complexity: O(1).
  mutating func remove(_ name: String) {
    guard let place = places.removeValue(forKey: name) else { return }
    unlink(place)
    byteCount -= nodes[place].byteCount
    nodes[place].name = ""
    free.append(place)
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
    let place: Int
    if let reused = free.popLast() {
      place = reused
      nodes[place] = node
    } else {
      place = nodes.count
      nodes.append(node)
    }
    places[node.name] = place
    byteCount += node.byteCount
    link(place)
  }

  /// Adds a node as the most recently used one.
  private mutating func link(_ place: Int) {
    nodes[place].older = newest
    nodes[place].newer = nil
    if let newest { nodes[newest].newer = place } else { oldest = place }
    newest = place
  }

  private mutating func unlink(_ place: Int) {
    let (older, newer) = (nodes[place].older, nodes[place].newer)
    if let older { nodes[older].newer = newer } else { oldest = newer }
    if let newer { nodes[newer].older = older } else { newest = older }
  }
}
