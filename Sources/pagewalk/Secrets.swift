import Foundation
import Freshet

/// The credentials of a walk, to be hidden in messages of a server.
struct Secrets: Sendable {
  private let values: HiddenTexts

  init(_ address: Address, _ options: Options) {
    var values: [String] = []
    for field in options.headers.fields { values += Secrets.secrets(of: field) }
    if let credentials = address.credentials { values += Secrets.parts(of: credentials) }
    for parameter in URIQuery(url: address.url).parameters
    where Redaction.isSecretName(parameter.name) {
      values += [parameter.value ?? "", String(parameter.text.drop { $0 != "=" }.dropFirst())]
    }
    if let body = options.body { values += Secrets.secrets(in: body, isSecret: false) }
    // A value of one or two characters is no secret, and would be found everywhere.
    self.values = HiddenTexts(values.filter { $0.count > 2 })
  }

  /// The text without these secrets.
  ///
  /// - Complexity: O(*n* × *s*) in the bytes of the text and of the secrets that begin alike.
  func hidden(in text: String) -> String {
    values.hidden(in: text)
  }

  /// A message of a server without text that looks like a secret.
  ///
  /// - Complexity: O(*n*) in the characters: a word without what makes it a secret is read once, not from each of
  ///   its characters again.
  static func redacted(_ text: String) -> String {
    let urls = text.replacing(/([a-zA-Z0-9+.\-]++)(:\/\/[^\s"'<>]+)?/) { match in
      // A scheme begins with a letter.
      let scheme = match.output.1.drop { !$0.isLetter }
      guard let rest = match.output.2, !scheme.isEmpty else { return String(match.output.0) }
      let before = match.output.1[..<scheme.startIndex]
      return before + Redaction.url(String(scheme + rest))
    }
    return urls.replacing(
      /([A-Za-z0-9_.\-]++)(?:("\s*:\s*"?|=|:\s+(?=(?:Bearer|Basic|Token)\s))((?:Bearer|Basic|Token)\s+)?[^\s"'&,;}]+)?/
        .ignoresCase()
    ) { match in
      guard let separator = match.output.2, Redaction.isSecretName(String(match.output.1)) else {
        return String(match.output.0)
      }
      return "\(match.output.1)\(separator)\(Redaction.placeholder)"
    }
  }

  /// Any long value may be a credential, whatever the name of the field.
  private static func secrets(of field: HTTPHeaders.Field) -> [String] {
    let isPublic = ["accept", "accept-encoding", "accept-language", "content-type", "user-agent"]
      .contains(field.name.lowercased())
    guard !isPublic, field.value.count > 7 || Redaction.isSecretName(field.name) else { return [] }
    return parts(of: field.value)
  }

  /// A credential, its parts (`Bearer TOKEN`, `a=b; c=d`), and the text it encodes (RFC 7617).
  private static func parts(of value: String) -> [String] {
    let parts = value.split { " ;,=".contains($0) }.map(String.init).filter {
      $0.count > 3 && !["basic", "bearer", "digest", "token"].contains($0.lowercased())
    }
    let encoded = value.split(separator: " ").last.flatMap { Data(base64Encoded: String($0)) }
    let pair = encoded.flatMap { String(data: $0, encoding: .utf8) }
    let password = pair?.split(separator: ":", maxSplits: 1).last.map(String.init)
    return [value] + parts + [pair, password].compactMap { $0 }
  }

  private static func secrets(in value: JSONText, isSecret: Bool) -> [String] {
    if let members = value.members {
      return members.flatMap { member in
        secrets(in: member.value, isSecret: isSecret || Redaction.isSecretName(member.name))
      }
    }
    if let elements = value.elements {
      return elements.flatMap { secrets(in: $0, isSecret: isSecret) }
    }
    return isSecret ? [value.string ?? value.description] : []
  }
}
