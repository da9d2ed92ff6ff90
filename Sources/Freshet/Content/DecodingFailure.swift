import Foundation

/// Words for what went wrong in decoding: the media type and the location in the document.
enum DecodingFailure {
  static func message(for error: any Error, in input: DecodingInput) -> String {
    let type = input.response.headers["Content-Type"] ?? "no media type"
    let size = input.response.body.count
    let hint = size == 0 ? "; where no content is expected, decode NoContent" : ""
    let reason = syntaxError(error, in: input) ?? Redaction.nature(of: error)
    return
      "\(input.location): the response (\(type), \(size) bytes) cannot be decoded: \(reason)\(hint)"
  }

  /// The error in the syntax of a JSON document, in our own words: Foundation's quote the document.
  private static func syntaxError(_ error: any Error, in input: DecodingInput) -> String? {
    guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty,
      context.underlyingError != nil, input.response.headers.mediaType?.isJSON ?? true
    else { return nil }
    do throws(JSONText.SyntaxError) {
      _ = try JSONText(parsing: input.response.body)
      return nil
    } catch {
      return "at $: \(error)"
    }
  }
}
