import Foundation
import Freshet

/// The request headers of a `--header` option, given directly or in a file with one per line.
enum HeaderArgument {
  /// The header fields of one option.
  ///
  /// - Parameter text: `Name: value`, or `@FILE`.
  static func fields(
    in text: String, files: Files
  ) throws(UsageError) -> [HTTPHeaders.Field] {
    guard text.hasPrefix("@") else { return [try field(in: text)] }
    let path = String(text.dropFirst())
    guard !path.isEmpty else {
      throw UsageError("--header: expected a file after @, or - for standard input")
    }
    let content = try files.text(of: path, for: "header")
    var fields: [HTTPHeaders.Field] = []
    for (index, line) in content.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    )
    .enumerated() where !line.allSatisfy(\.isWhitespace) {
      do {
        fields.append(try parse(String(line)))
      } catch {
        // Neither name nor value is shown: the file may hold anything.
        let what =
          switch error {
          case .malformed: "expected 'Name: value'"
          case .invalidValue: "expected a value without control characters"
          case .framing: "this header is set by the transport; expected another one"
          }
        throw UsageError("--header: line \(index + 1) of \(Files.name(of: path)): \(what)")
      }
    }
    guard !fields.isEmpty else {
      throw UsageError("--header: no 'Name: value' line in \(Files.name(of: path))")
    }
    return fields
  }

  /// Whether a request may have several lines of a field. Those whose value is not a list may occur once, RFC 9110
  /// section 5.3.
  static func mayRepeat(_ name: String) -> Bool {
    ![
      "authorization", "content-location", "content-range", "content-type", "date", "from",
      "if-modified-since", "if-range", "if-unmodified-since", "max-forwards", "origin",
      "proxy-authorization", "range", "referer", "user-agent",
    ].contains(name.lowercased())
  }

  /// The value stays out of errors: it may be a credential.
  private static func field(in text: String) throws(UsageError) -> HTTPHeaders.Field {
    do {
      return try parse(text)
    } catch {
      switch error {
      case .malformed: throw UsageError("--header: expected 'Name: value' or @FILE")
      case .invalidValue(let name):
        throw UsageError(
          "--header: expected a value without line breaks and control characters for '\(name)'")
      case .framing(let name):
        throw UsageError("--header: '\(name)' is set by the transport; expected another name")
      }
    }
  }

  private enum Fault: Error {
    case malformed
    case invalidValue(name: String)
    case framing(name: String)
  }

  private static func parse(_ text: String) throws(Fault) -> HTTPHeaders.Field {
    let name = String(text.prefix { $0 != ":" })
    guard name.count < text.count, HTTPHeaders.isValidName(name) else { throw .malformed }
    let field = HTTPHeaders.Field(name: name, value: String(text.dropFirst(name.count + 1)))
    guard HTTPHeaders.isValidValue(field.value) else { throw .invalidValue(name: name) }
    guard !HTTPHeaders.isFraming(name) else { throw .framing(name: name) }
    return field
  }
}
