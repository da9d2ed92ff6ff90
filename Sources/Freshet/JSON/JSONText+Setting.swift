import Foundation

extension JSONText {
  /// The error of a value that cannot be set at a path.
  public enum EditError: Error, Sendable, Hashable {
    /// The path goes through a value that is neither an object nor an array with that index.
    case noContainer(JSONPath, Kind)
    /// The result would have more than ``JSONText/maximumDepth`` containers inside each other.
    case tooDeep(JSONPath)
  }

  /// Returns this value with another one set at a path; everything else stays byte for byte the same.
  ///
  /// A value at the path is replaced. Missing objects on the path are added, as the last member of
  /// the innermost object that exists; a `null` on the path counts as missing.
  ///
  /// ```swift
  /// let body = try JSONText(parsing: #"{"query": "{ … }"}"#)
  /// try body.setting("variables.after", to: JSONText(string: "Y3Vyc29y"))
  /// // {"query": "{ … }","variables":{"after":"Y3Vyc29y"}}
  /// ```
  ///
  /// - Complexity: O(*n* · *d*) in the number of bytes and of names in the path.
  public func setting(_ path: JSONPath, to value: JSONText) throws(EditError) -> JSONText {
    let location = bytes.span.location(of: path, passing: longArrays)
    let target = self[valid: location.value]
    var range = location.value
    var text = Data()
    switch target.kind {
    case _ where location.missing.isEmpty:
      text = value.bytes
    case .null:
      text.appendObject(location.missing, value: value)
    case .object:
      let end = target.bytes.span.endOfLastMember
      if end > 1 { text.append(UInt8(ascii: ",")) }
      text.appendMember(location.missing, value: value)
      range = location.value.lowerBound + end..<location.value.lowerBound + end
    case let kind:
      throw .noContainer(JSONPath(names: path.names.dropLast(location.missing.count)), kind)
    }
    let document = bytes.prefix(range.lowerBound) + text + bytes.dropFirst(range.upperBound)
    // Valid parts in valid locations: only the nesting can have become too deep.
    do { return try JSONText(parsing: document) } catch { throw .tooDeep(path) }
  }

  /// This value with an array emptied.
  ///
  /// - Parameter array: a part of this value.
  func emptying(_ array: JSONText) -> JSONText {
    var text = bytes[..<array.bytes.startIndex]
    text.append(JSONText.emptyArray.bytes)
    text.append(bytes[array.bytes.endIndex...])
    return JSONText(valid: text)
  }
}

extension JSONText.EditError: CustomStringConvertible {
  /// What prevents the edit, and where.
  public var description: String {
    switch self {
    case .noContainer(let path, let kind):
      let location = path.names.isEmpty ? "the value" : "'\(path)'"
      return "nothing can be put inside \(location), which is of kind \(kind)"
    case .tooDeep(let path):
      return "a value at '\(path)' would be inside more than \(JSONText.maximumDepth) others"
    }
  }
}

extension Span<UInt8> {
  /// The offset after the last member of the object that fills this span, or after its brace.
  fileprivate var endOfLastMember: Int {
    var cursor = 1
    var end = cursor
    while let member = nextMember(&cursor) { end = member.value.upperBound }
    return end
  }
}

extension Data {
  /// Appends a member whose value is inside an object for each further name.
  fileprivate mutating func appendMember(_ names: ArraySlice<String>, value: JSONText) {
    guard let name = names.first else { return append(value.bytes) }
    append(JSONText(string: name).bytes)
    append(UInt8(ascii: ":"))
    appendObject(names.dropFirst(), value: value)
  }

  /// Appends a value inside an object for each name.
  fileprivate mutating func appendObject(_ names: ArraySlice<String>, value: JSONText) {
    guard !names.isEmpty else { return append(value.bytes) }
    append(UInt8(ascii: "{"))
    appendMember(names, value: value)
    append(UInt8(ascii: "}"))
  }
}
