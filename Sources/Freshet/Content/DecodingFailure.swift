import Foundation

/// Words for what went wrong in decoding: the media type and the place in the document.
enum DecodingFailure {
  static func message(for error: any Error, in input: DecodingInput) -> String {
    let type = input.response.headers["Content-Type"] ?? "no media type"
    let size = input.response.body.count
    let hint = size == 0 ? "; where no content is expected, decode NoContent" : ""
    return "\(input.place): the response (\(type), \(size) bytes) cannot be decoded: "
      + "\(reason(error))\(hint)"
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .typeMismatch(let type, let context):
      return "at \(path(context)): expected \(type); \(context.debugDescription)"
    case .valueNotFound(let type, let context):
      return "at \(path(context)): expected \(type), found null"
    case .keyNotFound(let key, let context):
      return "at \(path(context)): no member \"\(key.stringValue)\""
    case .dataCorrupted(let context):
      // The position of a syntax error is in the underlying error only.
      let beneath = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey]
      let detail = (beneath as? String).map { "; \($0)" } ?? ""
      return "at \(path(context)): \(context.debugDescription)\(detail)"
    @unknown default:
      return "\(error)"
    }
  }

  /// The place in the document as a JSON path, such as `$.items[3].name`.
  private static func path(_ context: DecodingError.Context) -> String {
    context.codingPath.reduce(into: "$") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }
  }
}
