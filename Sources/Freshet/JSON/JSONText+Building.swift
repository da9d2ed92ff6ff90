import Foundation

extension JSONText {
  /// Makes a JSON object of members, in this order.
  ///
  /// The names must be different, and no more than ``maximumDepth`` containers nested: for values
  /// that are made here.
  package static func object(_ members: [(name: String, value: JSONText)]) -> JSONText {
    var bytes = Data([UInt8(ascii: "{")])
    for (index, member) in members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(JSONText(string: member.name).bytes)
      bytes.append(UInt8(ascii: ":"))
      bytes.append(member.value.bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return JSONText(valid: bytes)
  }

  /// Makes a JSON array.
  package static func array(_ elements: [JSONText]) -> JSONText {
    var bytes = Data([UInt8(ascii: "[")])
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(element.bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    return JSONText(valid: bytes)
  }

  /// `true` or `false`.
  package init(bool: Bool) {
    self.init(valid: Data((bool ? "true" : "false").utf8))
  }

  /// Creates a JSON number from a finite one.
  package init(finite number: Double) {
    precondition(number.isFinite, "JSON has no number for \(number)")
    self.init(valid: Data("\(number)".utf8))
  }
}
