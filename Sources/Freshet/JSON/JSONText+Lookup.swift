import Foundation

extension JSONText {
  /// The elements of an array in order, or nil for any other kind.
  ///
  /// - Complexity: O(*n*) in the number of bytes; none of them is copied.
  public var elements: [JSONText]? {
    let bytes = bytes.span
    guard bytes[0] == UInt8(ascii: "[") else { return nil }
    var elements: [JSONText] = []
    var cursor = 1
    while let element = bytes.nextElement(&cursor) { elements.append(self[valid: element]) }
    return elements
  }

  /// The names and values of an object's members in order, or nil for any other kind.
  ///
  /// A name that no Unicode text can hold (see ``string``) is left out.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public var members: [(name: String, value: JSONText)]? {
    let bytes = bytes.span
    guard bytes[0] == UInt8(ascii: "{") else { return nil }
    var members: [(name: String, value: JSONText)] = []
    var cursor = 1
    while let member = bytes.nextMember(&cursor, passing: longArrays) {
      guard let name = bytes.unescapedString(in: member.name) else { continue }
      members.append((String(decoding: name, as: UTF8.self), self[valid: member.value]))
    }
    return members
  }

  /// The value of an object's member; nil if there is no such member or this is not an object.
  ///
  /// Names are compared as UTF-8 with their escapes resolved, so that `"\u0061"` is `a`, and the
  /// composed and the decomposed form of a character are two names. Of members with the same name
  /// the first one counts, as with `JSONDecoder`.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public subscript(member: String) -> JSONText? {
    self[at: JSONPath(names: [member])]
  }

  /// The value at a path, or nil if there is none.
  ///
  /// - Complexity: O(*n* · *d*) in the number of bytes and of names in the path.
  public subscript(at path: JSONPath) -> JSONText? {
    let location = bytes.span.location(of: path, passing: longArrays)
    return location.missing.isEmpty ? self[valid: location.value] : nil
  }
}

/// The deepest value that a path reaches, and the rest of the path.
struct JSONLocation {
  /// The range of the deepest value that the path reaches.
  var value: Range<Int>
  /// The names that are not found there: none if the path leads to a value.
  var missing: ArraySlice<String>
}

extension Span<UInt8> {
  /// Follows a path from the value that fills this span as far as it leads.
  ///
  /// - Parameter arrays: the long arrays that are in no other one.
  func location(of path: JSONPath, passing arrays: [Range<Int>] = []) -> JSONLocation {
    var location = JSONLocation(value: 0..<count, missing: path.names[...])
    while let step = step(from: location, passing: arrays) { location = step }
    return location
  }

  private func step(from location: JSONLocation, passing arrays: [Range<Int>]) -> JSONLocation? {
    guard let name = location.missing.first else { return nil }
    switch self[location.value.lowerBound] {
    case UInt8(ascii: "{"):
      return member(location.missing, ofObjectAt: location.value.lowerBound, passing: arrays)
    case UInt8(ascii: "["):
      guard let index = Int(name),
        let element = element(index, ofArrayAt: location.value.lowerBound)
      else { return nil }
      return JSONLocation(value: element, missing: location.missing.dropFirst())
    default:
      return nil
    }
  }

  private func element(_ index: Int, ofArrayAt start: Int) -> Range<Int>? {
    var remaining = index
    if index < 0 {
      var cursor = start + 1
      while nextElement(&cursor) != nil { remaining += 1 }
      guard remaining >= 0 else { return nil }
    }
    var cursor = start + 1
    while let element = nextElement(&cursor) {
      if remaining == 0 { return element }
      remaining -= 1
    }
    return nil
  }

  /// Finds, in one pass, the member whose name is the longest run of `names` joined by dots.
  private func member(
    _ names: ArraySlice<String>, ofObjectAt start: Int, passing arrays: [Range<Int>]
  ) -> JSONLocation? {
    var longest: (names: Int, value: Range<Int>)?
    var cursor = start + 1
    while let member = nextMember(&cursor, passing: arrays) {
      guard let run = run(of: names, inNameAt: member.name), run > longest?.names ?? 0
      else { continue }
      longest = (run, member.value)
      if run == names.count { break }
    }
    return longest.map { JSONLocation(value: $0.value, missing: names.dropFirst($0.names)) }
  }

  /// How many of the first names, with dots between them, are the member name in a range; nil if none
  /// are.
  private func run(of names: ArraySlice<String>, inNameAt range: Range<Int>) -> Int? {
    let content = range.lowerBound + 1..<range.upperBound - 1
    guard content.contains(where: { self[$0] == UInt8(ascii: "\\") }) else {
      return extracting(content).run(of: names)
    }
    guard let name = unescapedString(in: range) else { return nil }
    return name.span.run(of: names)
  }

  /// How many of the first names these bytes are.
  private func run(of names: ArraySlice<String>) -> Int? {
    var end = 0
    // Byte by byte: to join the names first takes ten times as long as to compare them.
    for (index, name) in names.enumerated() {
      for byte in name.utf8 {
        guard end < count, self[end] == byte else { return nil }
        end += 1
      }
      guard end < count else { return index + 1 }
      guard self[end] == UInt8(ascii: ".") else { return nil }
      end += 1
    }
    return nil
  }
}
