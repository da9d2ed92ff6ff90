/// The header fields of a request or a response, RFC 9110 section 5.
///
/// Names are compared without regard to ASCII case, and keep their spelling. Repeated fields are
/// kept as separate lines in their order, because some (`Set-Cookie`, `Link`) cannot be separated
/// once joined.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers.append("en", for: "Accept-Language")
/// headers["accept"]  // "application/json"
/// ```
public struct HTTPHeaders: Sendable, Hashable {
  /// A header line: a name and a value.
  public struct Field: Sendable, Hashable {
    /// The field name, in its original spelling.
    public var name: String
    /// The field value, without the white space around it.
    public var value: String

    /// Creates a field; spaces and tabs around the value are removed, as HTTP does.
    public init(name: String, value: String) {
      self.name = name
      self.value = String(value.trimmingHTTPSpace)
    }

    /// Whether two lines have the same name, ignoring ASCII case, and the same value.
    public static func == (left: Field, right: Field) -> Bool {
      HTTPHeaders.isSameName(left.name, right.name) && left.value == right.value
    }

    /// Hashes the name in lower case, and the value.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name.asciiLowercased)
      hasher.combine(value)
    }
  }

  /// The header lines, in order.
  public private(set) var fields: [Field] = []

  /// Creates an empty set of fields.
  public init() {}

  /// Creates headers from lines, in order; repeated names are kept.
  public init(_ fields: some Sequence<Field>) {
    self.fields = Array(fields)
  }

  /// The value of a field: the values of the lines with that name, joined with `", "`, or nil for
  /// none.
  ///
  /// Setting a value replaces all lines with that name by one, in the place and the spelling of the
  /// first; setting nil removes them.
  ///
  /// - Complexity: O(*f*) in the number of lines.
  public subscript(name: String) -> String? {
    get {
      var joined: String?
      for field in fields where HTTPHeaders.isSameName(field.name, name) {
        joined = joined.map { $0 + ", " + field.value } ?? field.value
      }
      return joined
    }
    set {
      guard let newValue else { return remove(name) }
      guard let first = fields.firstIndex(where: { HTTPHeaders.isSameName($0.name, name) }) else {
        return fields.append(Field(name: name, value: newValue))
      }
      fields[first] = Field(name: fields[first].name, value: newValue)
      let rest = fields[(first + 1)...].filter { !HTTPHeaders.isSameName($0.name, name) }
      fields.replaceSubrange((first + 1)..., with: rest)
    }
  }

  /// Returns the values of all lines with a name, in order.
  ///
  /// - Complexity: O(*f*) in the number of lines.
  public func values(for name: String) -> [String] {
    fields.filter { HTTPHeaders.isSameName($0.name, name) }.map(\.value)
  }

  /// The value of the first line of that name.
  func first(_ name: String) -> String? {
    for field in fields where HTTPHeaders.isSameName(field.name, name) { return field.value }
    return nil
  }

  /// Adds a line at the end.
  public mutating func append(_ value: String, for name: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Adds a line at the end.
  mutating func append(_ field: Field) {
    fields.append(field)
  }

  /// Removes all lines with a name.
  mutating func remove(_ name: String) {
    fields.removeAll { HTTPHeaders.isSameName($0.name, name) }
  }

  /// Whether two field names are the same field: equal, ignoring ASCII case.
  static func isSameName(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    // Most are written alike: saves 13 % of a page that is confirmed.
    return left == right
      || zip(left.utf8, right.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Creates headers from lines, in order; repeated names are kept.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, SecretHolding {
  /// The header line as it is sent, with secrets replaced by `***`.
  ///
  /// Replaced are the values of fields that may contain credentials (`Authorization`, `Cookie`, names that end in
  /// `key` or contain `token`, and the like), and secrets in URLs. Control characters are replaced by spaces.
  public var description: String {
    guard !Redaction.isSecretName(name) else { return "\(name): \(Redaction.placeholder)" }
    return "\(name): \(String(Redaction.fieldValue(value).unicodeScalars.onOneLine))"
  }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible {
  /// One line for each field, with `***` for the values of those that hold secrets.
  public var description: String {
    fields.map(\.description).joined(separator: "\n")
  }

  /// The fields in brackets, with `***` for the values of those that hold secrets.
  public var debugDescription: String {
    "[" + fields.map(\.description).joined(separator: "; ") + "]"
  }
}

extension HTTPHeaders {
  /// Whether a field is about one connection: it is neither stored nor passed on, RFC 9110 section 7.6.1
  /// and RFC 9111 section 3.1.
  static func isConnectionField(_ name: String) -> Bool {
    connectionFields.contains(name)
  }

  /// The fields that are about the message, and not about the connection that it came by.
  ///
  /// - Complexity: O(*n*) in the bytes of all lines.
  var withoutConnectionFields: HTTPHeaders {
    guard fields.contains(where: { HTTPHeaders.isConnectionField($0.name) }) else { return self }
    let options = Set(
      values(for: "Connection").flatMap(HTTPList.elements).map(\.trimmingHTTPSpace.asciiLowercased))
    return HTTPHeaders(
      fields.filter { field in
        !HTTPHeaders.isConnectionField(field.name) && !options.contains(field.name.asciiLowercased)
      })
  }

  private static let connectionFields: HTTPFieldNames = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]
}

extension HTTPHeaders {
  /// The non-credential request fields, which may go to any origin: they say what the client
  /// understands, not who it is.
  static let nonCredential: HTTPFieldNames = [
    "Accept", "Accept-Encoding", "Accept-Language", "User-Agent",
  ]

  /// Whether there is a line of any of these names.
  func contains(_ names: HTTPFieldNames) -> Bool {
    fields.contains { names.contains($0.name) }
  }

  /// Only the lines of these names.
  func keeping(_ names: HTTPFieldNames) -> HTTPHeaders {
    HTTPHeaders(fields.filter { names.contains($0.name) })
  }

  /// All lines but those of these names.
  func removing(_ names: HTTPFieldNames) -> HTTPHeaders {
    HTTPHeaders(fields.filter { !names.contains($0.name) })
  }
}

extension HTTPHeaders {
  /// Whether a field name can be sent: a token, RFC 9110 section 5.1.
  package static func isValidName(_ name: String) -> Bool {
    !name.isEmpty && name.hasOnlyBytes(where: \.isTokenCharacter)
  }

  /// Whether a field value can be sent: no control characters but the tab, RFC 9110 section 5.5.
  ///
  /// A line break in a value would end the field, and let the author of the value write the rest of the
  /// request.
  package static func isValidValue(_ value: String) -> Bool {
    value.hasOnlyBytes { !$0.isASCIIControl || $0 == UInt8(ascii: "\t") }
  }

  /// Whether a field value that was received, or stored since, is on one line: no CR, LF or NUL. Other control
  /// characters do no harm there; none is sent, see ``isValidValue(_:)``.
  package static func isOneLine(_ value: String) -> Bool {
    value.hasOnlyBytes { !$0.breaksField }
  }

  /// Whether this field says where a message ends or what becomes of its connection.
  ///
  /// A value that disagrees with the transport's own lets one request be read as two.
  package static func isFraming(_ name: String) -> Bool {
    framing.contains(name)
  }

  private static let framing: HTTPFieldNames = [
    "Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Connection", "TE",
    "Trailer", "Transfer-Encoding", "Upgrade",
  ]
}

/// Names of header fields, to find others among them.
struct HTTPFieldNames: Sendable, ExpressibleByArrayLiteral {
  let all: [String]
  /// A bit for each length of a name: the length alone distinguishes nearly every other name. Saves 5 % of a page that
  /// is confirmed.
  private let lengths: UInt64

  init(arrayLiteral names: String...) {
    all = names
    lengths = names.reduce(0) { $0 | 1 << UInt64($1.utf8.count) }
  }

  /// Whether a name is one of these.
  func contains(_ name: String) -> Bool {
    let length = name.utf8.count
    return length < 64 && lengths & 1 << UInt64(length) != 0
      && all.contains { HTTPHeaders.isSameName($0, name) }
  }
}

/// The list syntax of HTTP fields, RFC 9110 section 5.6.1.
enum HTTPList {
  /// The parts of a field value between those commas that are not in quotes, white space included.
  ///
  /// - Complexity: O(*n*) in the bytes of the field.
  static func elements(of field: String) -> [Substring] {
    guard field.utf8.contains(UInt8(ascii: ",")) else { return [field[...]] }
    var elements: [Substring] = []
    var start = field.startIndex
    var isQuoted = false
    var isEscaped = false
    for (index, byte) in zip(field.utf8.indices, field.utf8) {
      switch byte {
      case UInt8(ascii: "\"") where !isEscaped: isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted:
        elements.append(field[start..<index])
        start = field.utf8.index(after: index)
      default: break
      }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
    }
    elements.append(field[start...])
    return elements
  }
}
