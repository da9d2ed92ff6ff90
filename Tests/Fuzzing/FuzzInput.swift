/// The bytes of one run, taken apart from the front.
///
/// Texts are lines, so that seeds and findings can be read and written in an editor.
struct FuzzInput {
  private(set) var bytes: ArraySlice<UInt8>

  init(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The rest as a text; what is not UTF-8 is replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Takes a byte; 0 at the end.
  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// Takes a number of that many bytes; missing ones are 0.
  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value {
    (0..<MemoryLayout<Value>.size).reduce(0) { value, _ in value << 8 | Value(byte()) }
  }

  /// Takes a line, without its end.
  mutating func line() -> String {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    bytes = bytes.dropFirst(line.count + 1)
    return String(decoding: line, as: UTF8.self)
  }

  /// Takes lines up to an empty one, or to the end.
  mutating func lines() -> [String] {
    var lines: [String] = []
    while !bytes.isEmpty {
      let line = line()
      if line.isEmpty { break }
      lines.append(line)
    }
    return lines
  }
}

extension ArraySlice<UInt8> {
  /// The same bytes in pieces, of lengths that a number decides.
  func pieces(_ seed: UInt8) -> [ArraySlice<UInt8>] {
    var (pieces, rest, length) = ([ArraySlice<UInt8>](), self, Int(seed % 16) + 1)
    while !rest.isEmpty {
      pieces.append(rest.prefix(length))
      rest = rest.dropFirst(length)
      length = length * 7 % 61 + 1
    }
    return pieces
  }
}
