import Foundation
import Freshet

/// The credentials of a walk, to be hidden in messages of a server.
struct Secrets: Sendable {
  private let values: [String]
  private let texts: HiddenTexts

  private init(_ values: [String]) {
    self.values = values
    // A value of one or two characters is not a secret, and would be found everywhere.
    texts = HiddenTexts(values.filter { $0.count > 2 })
  }

  init(_ address: Address, _ options: Options) {
    var values = Secrets.secrets(of: options.headers) + Secrets.secrets(inURL: address.url)
    if let credentials = address.credentials { values += Secrets.parts(of: credentials) }
    if let body = options.body { values += Secrets.secrets(in: body, isSecret: false) }
    self.init(values)
  }

  /// These, and those of a request, which a link of the server may have brought.
  func addingThose(of input: DecodingInput) -> Secrets {
    let key = input.key
    let body = key.body.flatMap { try? JSONText(parsing: $0) }
    return Secrets(
      values + Secrets.secrets(of: key.headers)
        + [key.url, input.response.urlString].flatMap(Secrets.secrets(inURL:))
        + (body.map { Secrets.secrets(in: $0, isSecret: false) } ?? []))
  }

  /// The text without these secrets.
  ///
  /// - Complexity: O(*n* × *s*) in the bytes of the text and of the secrets that begin alike.
  func hidden(in text: String) -> String {
    texts.hidden(in: text)
  }

  /// A message of a server as one line, without these secrets and what looks like one.
  func line(of message: String) -> String {
    // Before the text is cut or its spaces are: a part of a secret would not be found.
    let hidden = hidden(in: message)
    return Secrets.redacted(oneLine(String(hidden.prefix(2000)))).split(separator: " ")
      .joined(separator: " ")
  }

  /// A decoder of pages whose errors repeat what a server says in a page without the secrets of the request.
  func pages(_ style: PageStyle) -> ContentDecoder<Page<JSONText>> {
    var decoder = ContentDecoder<Page<JSONText>>.page(style)
    decoder.mapErrors { error, input in
      guard case PageError.reported(let messages) = error else { return error }
      let secrets = addingThose(of: input)
      // No more are shown.
      return PageError.reported(messages.prefix(6).map(secrets.line))
    }
    return decoder
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

  /// Any long value may be a credential, whatever the name of the field. But `Origin` and `Referer` have a URL, often
  /// that of the list, which is to be shown: only its parameters may be.
  private static func secrets(of headers: HTTPHeaders) -> [String] {
    let isPublic: Set = [
      "accept", "accept-encoding", "accept-language", "cache-control", "content-type", "origin",
      "prefer", "range", "user-agent",
    ]
    return headers.fields.flatMap { field in
      let name = field.name.lowercased()
      if name == "referer" { return secrets(inURL: field.value) }
      return !isPublic.contains(name)
        && (field.value.count > 7 || Redaction.isSecretName(field.name))
        ? parts(of: field.value) : []
    }
  }

  /// The values of parameters, as they are and as they are written.
  private static func secrets(inURL url: String) -> [String] {
    URIQuery(url: url).parameters.filter { Redaction.isSecretName($0.name) }.flatMap {
      [$0.value ?? "", String($0.text.drop { $0 != "=" }.dropFirst())]
    }
  }

  /// A credential, its parts (`Bearer TOKEN`, `a=b; c=d`), and the text it encodes (RFC 7617): a key may be the
  /// user name in that, as well as the password. A short user name, such as `admin`, is none, and may be a part of
  /// any URL.
  private static func parts(of value: String) -> [String] {
    // A token may have a `=` in it.
    let words = value.split { " ;,".contains($0) }
    let parts = (words + words.flatMap { $0.split(separator: "=") }).map(String.init).filter {
      $0.count > 3 && !["basic", "bearer", "digest", "token"].contains($0.lowercased())
    }
    let encoded = value.split(separator: " ").last.flatMap { Data(base64Encoded: String($0)) }
    let pair = encoded.flatMap { String(data: $0, encoding: .utf8) }
    let sides = pair?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    let secrets = sides.enumerated().filter { $0.offset > 0 || $0.element.count > 5 }
    return [value] + parts + secrets.map { String($0.element) } + (pair.map { [$0] } ?? [])
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
