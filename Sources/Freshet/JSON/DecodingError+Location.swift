extension DecodingError {
  /// The same error in a whole document, if a part of it was decoded.
  ///
  /// - Parameter path: the path of the part.
  func located(at path: JSONPath) -> DecodingError {
    func located(_ context: Context) -> Context {
      Context(
        codingPath: path.names.map(LocationKey.init(stringValue:)) + context.codingPath,
        debugDescription: context.debugDescription, underlyingError: context.underlyingError)
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, located(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, located(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, located(context))
    case .dataCorrupted(let context): .dataCorrupted(located(context))
    @unknown default: self
    }
  }
}
