import Foundation

/// Parses a document, which Foundation is to accept as well, takes it apart, and sets a value in it.
///
/// The first line of the input is a path, the second a value, the rest the document.
func fuzzJSONText(_ input: FuzzInput) {
  var input = input
  let path = JSONPath(input.line())
  require(JSONPath(path.description) == path, "'\(path)' is read as another path")
  let text = input.line()
  let string = JSONText(string: text)
  require(string.string.map { Array($0.utf8) } == Array(text.utf8), "\(text.debugDescription)")
  let value = (try? JSONText(parsing: text)) ?? string
  let document = Data(input.bytes)
  let foundation = try? JSONSerialization.jsonObject(with: document, options: .fragmentsAllowed)
  do throws(JSONText.SyntaxError) {
    let parsed = try JSONText(parsing: document)
    require(foundation != nil || parsed.isBeyondFoundation, "Foundation refuses this")
    checkParts(of: parsed, depth: 0)
    checkBuilding(parsed, value)
    checkSetting(path, of: parsed, to: value)
  } catch {
    require(
      foundation == nil || document.isInAnotherEncoding || document.hasTrailingComma(error),
      "Foundation accepts this: \(error)")
  }
}

/// Every part is a value of its own, and found by its path.
private func checkParts(of value: JSONText, depth: Int) {
  require((try? JSONText(parsing: value.bytes)) == value, "a part is no value: \(value)")
  let compact = value.compact
  require((try? JSONText(parsing: compact.bytes)) == compact, "the compact form: \(compact)")
  require(compact.compact == compact && value.detached() == value, "forms of \(value)")
  _ = (value.string, value.bool, value.int, value.double)
  require(value[at: .root] == value, "the root of \(value)")
  guard depth < 4 else { return }
  if let elements = value.elements {
    require(value.kind == .array && compact.elements?.count == elements.count, "\(value)")
    for (index, element) in elements.enumerated().prefix(4) {
      require(value["\(index)"] == element, "element \(index) of \(value)")
      require(value["\(index - elements.count)"] == element, "counted from the end: \(value)")
      checkParts(of: element, depth: depth + 1)
    }
    require(value["\(elements.count)"] == nil, "an element after the last of \(value)")
  }
  for (index, member) in (value.members ?? []).enumerated().prefix(4) {
    // Of members with the same name the first one counts.
    let first = value.members?.first { $0.name.utf8.elementsEqual(member.name.utf8) }
    require(value[member.name] == first?.value, "member \(index) of \(value)")
    checkParts(of: member.value, depth: depth + 1)
  }
}

private func checkBuilding(_ first: JSONText, _ second: JSONText) {
  // One level of containers is added, where the document may have as many as there can be.
  let array = JSONText.array([first, second])
  guard let parsed = try? JSONText(parsing: array.bytes) else {
    return require(first.isDeep || second.isDeep, "an array that is made is none: \(array)")
  }
  require(parsed.elements == [first, second], "\(array)")
  let object = JSONText.object([("a\"\\\n", first), ("b", second)])
  let members = (try? JSONText(parsing: object.bytes))?.members
  require(members?.map(\.name) == ["a\"\\\n", "b"], "\(object)")
  require(members?.map(\.value) == [first, second], "\(object)")
}

private func checkSetting(_ path: JSONPath, of document: JSONText, to value: JSONText) {
  guard let edited = try? document.setting(path, to: value) else { return }
  require((try? JSONText(parsing: edited.bytes)) == edited, "an edit makes no value: \(edited)")
  require(edited[at: path] == value, "'\(path)' of \(document) is set, and is not: \(edited)")
  guard let former = document[at: path] else { return }
  require((try? edited.setting(path, to: former)) == document, "other bytes of \(document) change")
}

extension JSONText {
  /// Whether one more container around it may be one too many.
  fileprivate var isDeep: Bool {
    bytes.count { "[{".utf8.contains($0) } >= JSONText.maximumDepth
  }

  /// Whether Foundation may refuse this, which is JSON by the grammar of RFC 8259: strings with half of
  /// a surrogate pair, and numbers that `Double` does not hold.
  fileprivate var isBeyondFoundation: Bool {
    switch kind {
    case .string: string == nil
    case .number: double?.isFinite != true
    case .array: elements?.contains(where: \.isBeyondFoundation) == true
    case .object:
      // A member whose name is no text is left out.
      (members?.contains { $0.value.isBeyondFoundation } == true)
        || description.contains(/\\u[dD][89a-fA-F]/)
    case .bool, .null: false
    }
  }
}

extension Data {
  /// Whether the error is a comma after the last element or member, which Foundation accepts.
  fileprivate func hasTrailingComma(_ error: JSONText.SyntaxError) -> Bool {
    [.value, .memberName].contains(error.expected) && error.offset < count
      && "]}".utf8.contains(self[error.offset])
  }

  /// Whether Foundation may read this as UTF-16 or UTF-32, which RFC 8259 no longer allows.
  fileprivate var isInAnotherEncoding: Bool {
    contains(0) || starts(with: [0xFF, 0xFE]) || starts(with: [0xFE, 0xFF])
  }
}
