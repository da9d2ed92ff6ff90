import Foundation
import Freshet

/// The URL of the first page, parsed from an argument: a pure value.
struct Address: Equatable {
  /// The absolute URL, without user name, password and fragment.
  let url: String
  /// The origin to which the request headers are sent.
  let origin: String
  /// The value of `Authorization` from user name and password of the URL, RFC 7617.
  let credentials: String?

  init(url: String, origin: String, credentials: String? = nil) {
    self.url = url
    self.origin = origin
    self.credentials = credentials
  }

  /// An argument as it may be shown. One without a scheme may be a header field, or a part of one, whose option
  /// is missing. The text before an `@` may be a password, even if the rest is not a URL.
  static func shown(_ text: String) -> String {
    guard hasScheme(text) else { return "an argument" }
    guard let at = text.lastIndex(of: "@") else { return "'\(Redaction.url(text))'" }
    return "'\(Redaction.placeholder)\(Redaction.url(String(text[at...])))'"
  }

  private static func hasScheme(_ text: String) -> Bool {
    text.prefixMatch(of: /\s*[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
  }

  /// Parses an argument. Without a scheme it is `https`, or `http` for the local machine.
  init(parsing text: String) throws(UsageError) {
    let hasScheme = Address.hasScheme(text)
    var url = hasScheme ? text : "https://" + text
    var host = HostAndPort("")
    var userInfo: Substring?
    if let start = url.range(of: "://")?.upperBound {
      let end = url[start...].unicodeScalars.firstIndex { "/?#".unicodeScalars.contains($0) }
      let authority = url[start..<(end ?? url.endIndex)]
      let at = authority.lastIndex(of: "@")
      userInfo = at.map { authority[..<$0] }
      host = HostAndPort(at.map { authority[authority.index(after: $0)...] } ?? authority)
      if let at { url.removeSubrange(start...at) }
    }
    func notURL(_ why: String) -> UsageError {
      UsageError(
        "\(Address.shown(text)) is not a URL: \(why);"
          + " expected one such as https://example.com/items"
          + (hasScheme ? "" : "; a header field needs --header"))
    }
    if let fault = host.fault { throw notURL(fault) }
    if !hasScheme {
      // A single word is more likely a mistake than a host.
      guard
        host.host.contains(".") || host.host.contains(":") || host.isLoopback
          || host.port?.isEmpty == false
      else { throw notURL("it names no host") }
      if host.isLoopback { url = "http" + url.dropFirst("https".count) }
    }
    guard let origin = URIReference.origin(of: url),
      let resolved = URIReference.resolve(url, against: ""), URL(string: resolved) != nil
    else { throw notURL("its scheme is neither http nor https") }
    self.origin = origin
    self.url = URIReference.removingFragment(resolved)
    credentials = userInfo.map { userInfo in
      let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.removingPercentEncoding ?? String($0) }
      let pair = "\(parts.first ?? ""):\(parts.dropFirst().first ?? "")"
      return "Basic " + Data(pair.utf8).base64EncodedString()
    }
  }
}
