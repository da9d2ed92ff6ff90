extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible {
  /// The line as it is sent, with `***` for the value of a field that identifies or authorises
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
