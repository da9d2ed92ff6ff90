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

    /// Makes a field; spaces and tabs around the value are removed, as HTTP does.
    public init(name: String, value: String) {
      self.name = name
      // Nearly no value has any, and then it is taken as it is.
      let isTrimmed = value.utf8.first?.isHTTPSpace != true && value.utf8.last?.isHTTPSpace != true
      self.value = isTrimmed ? value : String(value.trimmingHTTPSpace)
    }
  }

  /// All lines, in order.
  public private(set) var fields: [Field] = []

  /// Makes an empty set of fields.
  public init() {}

  /// Makes headers from lines, in order; repeated names are kept.
  public init(_ fields: some Sequence<Field>) {
    self.fields = Array(fields)
  }

  /// The value of a field: the values of the lines with that name, joined with `", "`, or nil for
  /// none.
  ///
  /// To set a value replaces all lines with that name by one, in the place and the spelling of the
  /// first; to set nil removes them.
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
    fields.first { HTTPHeaders.isSameName($0.name, name) }?.value
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
  public mutating func remove(_ name: String) {
    fields.removeAll { HTTPHeaders.isSameName($0.name, name) }
  }

  /// Whether two field names are the same field: equal but for ASCII case.
  static func isSameName(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    // Most are written alike.
    return left == right
      || zip(left.utf8, right.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Makes headers from lines, in order; repeated names are kept.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Empty: the value may be a secret, which ``description`` replaces.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The line as it is sent, with `***` for the value of a field that may hold credentials:
  /// `Authorization`, `Cookie`, names that end in `key` or contain `token`, and the like.
  public var description: String {
    "\(name): \(Redaction.isSecretName(name) ? Redaction.placeholder : value)"
  }

  /// The same as ``description``, so that no secret is shown where a whole request is printed.
  public var debugDescription: String { description }
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
