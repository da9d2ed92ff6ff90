import Foundation

extension JSONText {
  /// The same value on one line: without the white space between tokens.
  ///
  /// A value that has none is returned as it is, sharing its storage.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public var compact: JSONText {
    let bytes = bytes.span
    var compact = Data()
    var copied = 0  // How much of `bytes` has been dealt with.
    var position = 0
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\"") {
        position = bytes.endOfString(from: position)
      } else if bytes[position].isJSONWhitespace {
        compact.append(self[valid: copied..<position].bytes)
        position = bytes.endOfWhitespace(from: position)
        copied = position
      } else {
        position += 1
      }
    }
    guard copied > 0 else { return self }
    compact.append(self[valid: copied..<position].bytes)
    return JSONText(valid: compact)
  }

  /// The same value in the one form that requests are compared by: without white space, the members
  /// of every object sorted by the UTF-8 of their names.
  ///
  /// Members with the same name keep their order. Numbers and escapes are not rewritten: `1.0` and
  /// `1` stay different.
  ///
  /// - Complexity: O(*n* log *n*) in the number of bytes, whatever the depth.
  public var canonical: JSONText {
    let bytes = bytes.span
    let outline = JSONOutline(of: bytes)
    var canonical = Data(capacity: bytes.count)
    outline.appendSorted(0, of: bytes, to: &canonical)
    return JSONText(valid: canonical)
  }
}

/// Where all values and names of a document are, in document order.
///
/// With it the parts of a container can be visited in any order without looking at their bytes.
private struct JSONOutline {
  struct Node {
    /// Where the value or name is.
    var range: Range<Int>
    /// The index of the first node that is not inside this one.
    var next: Int
  }

  private var nodes: [Node] = []

  init(of bytes: Span<UInt8>) {
    var open: [Int] = []
    var position = bytes.endOfSeparator(from: 0)
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(nodes.count)
        nodes.append(Node(range: position..<position, next: 0))
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        position += 1
        if let node = open.popLast() {
          nodes[node] = Node(
            range: nodes[node].range.lowerBound..<position, next: nodes.count)
        }
      default:
        let end = bytes.endOfValue(from: position)
        nodes.append(Node(range: position..<end, next: nodes.count + 1))
        position = end
      }
      if position < bytes.count { position = bytes.endOfSeparator(from: position) }
    }
  }

  /// Recurses once for each level, of which a valid document has at most `JSONText.maximumDepth`.
  func appendSorted(_ node: Int, of bytes: Span<UInt8>, to output: inout Data) {
    let range = nodes[node].range
    var child = node + 1
    switch bytes[range.lowerBound] {
    case UInt8(ascii: "["):
      output.append(UInt8(ascii: "["))
      while child < nodes[node].next {
        if child > node + 1 { output.append(UInt8(ascii: ",")) }
        appendSorted(child, of: bytes, to: &output)
        child = nodes[child].next
      }
      output.append(UInt8(ascii: "]"))
    case UInt8(ascii: "{"):
      output.append(UInt8(ascii: "{"))
      for (index, member) in sortedMembers(of: node, in: bytes).enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        output.append(contentsOf: bytes.extracting(nodes[member].range))
        output.append(UInt8(ascii: ":"))
        appendSorted(member + 1, of: bytes, to: &output)
      }
      output.append(UInt8(ascii: "}"))
    default:
      output.append(contentsOf: bytes.extracting(range))
    }
  }

  /// The nodes of an object's names, sorted.
  private func sortedMembers(of node: Int, in bytes: Span<UInt8>) -> [Int] {
    var members: [(name: [UInt8], node: Int)] = []
    var child = node + 1
    while child < nodes[node].next {
      members.append((bytes.unescapedString(in: nodes[child].range) ?? [], child))
      child = nodes[child + 1].next
    }
    // Nodes are in document order, so they decide between equal names.
    members.sort { left, right in
      left.name == right.name
        ? left.node < right.node : left.name.lexicographicallyPrecedes(right.name)
    }
    return members.map(\.node)
  }
}

extension Data {
  fileprivate mutating func append(contentsOf bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append($0) }
  }
}
