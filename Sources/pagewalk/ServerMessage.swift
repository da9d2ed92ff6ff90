import Foundation
import Freshet

/// A server's message about its error in the body, as one short line.
struct ServerMessage: Sendable, Equatable {
  let text: String

  /// How much is searched of a body that is not JSON, in bytes.
  private static let searchedByteCount = 64 << 10

  /// Finds the message of an error response; nil if there is none that a person could read.
  init?(_ response: HTTPResponse, hiding secrets: Secrets) {
    var found: String?
    if let body = try? JSONText(parsing: response.body) {
      found = body.errorMessage
    } else {
      let type = response.headers["Content-Type"]?.lowercased() ?? "text/plain"
      let text = String(
        decoding: response.body.prefix(ServerMessage.searchedByteCount), as: UTF8.self)
      // Some servers label any text as a page for a browser.
      if type.hasPrefix("text/plain") || type.hasPrefix("text/html") && !text.contains("<") {
        found = text
      }
    }
    let line = secrets.line(of: found ?? "")
    guard !line.isEmpty, !line.hasPrefix("<") else { return nil }
    let shown = withoutPeriod(line)
    text = shown.count > 200 ? shown.prefix(199) + "…" : shown
  }
}
