import Foundation
import Freshet

/// A server's message about its error in the body, as one short line.
struct ServerMessage: Sendable, Equatable {
  let text: String

  /// Finds the message of an error response; nil if there is none that a person could read.
  init?(_ response: HTTPResponse, hiding secrets: Secrets) {
    var found: String?
    if let body = try? JSONText(parsing: response.body) {
      found = ServerMessage.message(in: body, depth: 0)
    } else if response.headers["Content-Type"]?.lowercased().hasPrefix("text/plain") ?? true {
      found = String(decoding: response.body, as: UTF8.self)
    }
    // Before the text is cut or its spaces are: a part of a secret would not be found.
    let hidden = secrets.hidden(in: found ?? "")
    let line = Secrets.redacted(oneLine(String(hidden.prefix(2000)))).split(separator: " ")
      .joined(separator: " ")
    guard !line.isEmpty, !line.hasPrefix("<") else { return nil }
    let shown = withoutPeriod(line)
    text = shown.count > 200 ? shown.prefix(199) + "…" : shown
  }

  /// The usual members for messages, the best one first: RFC 9457, RFC 6749, and convention.
  private static let names = [
    "message", "error_description", "error", "errors", "detail", "title", "msg", "reason",
  ]

  private static func message(in value: JSONText, depth: Int) -> String? {
    guard depth < 5 else { return nil }
    if let string = value.string { return string.isEmpty ? nil : string }
    if let first = value.elements?.first { return message(in: first, depth: depth + 1) }
    return names.lazy.compactMap { name in
      value[at: JSONPath(names: [name])].flatMap { message(in: $0, depth: depth + 1) }
    }.first
  }
}
