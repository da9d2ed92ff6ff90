extension HTTPHeaders {
  /// The non-credential request fields, which may go to any origin: they say what the client
  /// understands, not who it is.
  static let nonCredential = ["Accept", "Accept-Encoding", "Accept-Language", "User-Agent"]

  /// Whether there is a line of any of these names.
  func contains(_ names: [String]) -> Bool {
    fields.contains { field in names.contains { HTTPHeaders.isSameName($0, field.name) } }
  }

  /// Only the lines of these names.
  func keeping(_ names: [String]) -> HTTPHeaders {
    HTTPHeaders(
      fields.filter { field in names.contains { HTTPHeaders.isSameName($0, field.name) } })
  }

  /// All lines but those of these names.
  func removing(_ names: [String]) -> HTTPHeaders {
    HTTPHeaders(
      fields.filter { field in !names.contains { HTTPHeaders.isSameName($0, field.name) } })
  }
}
