/// The header fields of a request or a response, RFC 9110 section 5.
///
/// Names are compared without regard to ASCII case and keep the spelling they were given. Repeated
/// fields are kept apart and in order, because some (`Set-Cookie`, `Link`) cannot be told apart once
/// joined.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers.append("en", for: "Accept-Language")
/// headers["accept"]  // "application/json"
/// ```
public struct HTTPHeaders: Sendable, Hashable {
  /// One header line.
  public struct Field: Sendable, Hashable {
    /// The field name, in the spelling it was given.
    public var name: String
    /// The field value, without the white space around it.
    public var value: String

    /// Makes a field; spaces and tabs around the value are dropped, as they are on the wire.
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

  /// Makes headers of these lines, in order; repeated names are kept.
  public init(_ fields: some Sequence<Field>) {
    self.fields = Array(fields)
  }

  /// The value of a field: the lines of that name joined with `", "`, or nil where there is none.
  ///
  /// Setting it replaces every line of that name by one, or removes them all; the first line keeps
  /// its place and its spelling.
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

  /// The values of all lines of that name, in order.
  ///
  /// - Complexity: O(*f*) in the number of lines.
  public func values(for name: String) -> [String] {
    fields.filter { HTTPHeaders.isSameName($0.name, name) }.map(\.value)
  }

  /// The value of the first line of that name.
  func first(_ name: String) -> String? {
    fields.first { HTTPHeaders.isSameName($0.name, name) }?.value
  }

  /// Adds one more line.
  public mutating func append(_ value: String, for name: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Adds one more line.
  mutating func append(_ field: Field) {
    fields.append(field)
  }

  /// Removes every line of that name.
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
  /// Makes headers of these lines, in order; repeated names are kept.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible {
  /// The line as it is sent, with `***` for the value of a field that identifies or authorizes
  /// somebody: `Authorization`, `Cookie`, names that end in `key`, that hold `token`, and the like.
  public var description: String {
    "\(name): \(Redaction.isSecretName(name) ? Redaction.placeholder : value)"
  }

  /// The same as ``description``, so that a secret is not shown to who prints the whole request.
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
