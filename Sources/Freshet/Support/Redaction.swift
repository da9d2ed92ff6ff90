import Foundation

/// Keeps secrets out of messages, logs and failed tests.
package enum Redaction {
  /// The text in place of a secret.
  package static let placeholder = "***"

  /// Whether the value of a header field or parameter of that name is likely to be a secret.
  ///
  /// Names are compared without case, `-`, `_` and `.`. Rather too much is hidden than too little:
  /// the token of a page is hidden like that of a user.
  package static func isSecretName(_ name: String) -> Bool {
    let bytes = name.utf8.filter { !"-_.".utf8.contains($0) }.map(\.asciiLowercased)
    let name = String(decoding: bytes, as: UTF8.self)
    return secretNames.contains(name) || secretEndings.contains { name.hasSuffix($0) }
      || secretParts.contains { name.contains($0) }
  }

  private static let secretNames: Set<String> = [
    "appid", "assertion", "clientassertion", "code", "cred", "creds", "dpop", "jwt",
    "oauthverifier",
    "otp", "pass", "pat", "pwd", "samlresponse", "sid", "sig",
  ]
  private static let secretEndings = ["auth", "key"]
  private static let secretParts = [
    "authorization", "bearer", "cookie", "credential", "hmac", "passphrase", "passwd", "password",
    "secret", "session", "signature", "token",
  ]
}

/// An error whose description holds no secret and no content, so that other messages may quote it.
package protocol QuotableError: Error, CustomStringConvertible {}

/// A type whose values may hold secrets, or content of the program: reflecting one, as `dump(_:)` does, shows
/// nothing of that.
package protocol SecretHolding: CustomReflectable {}

extension SecretHolding {
  /// The description, so that no secret is shown where a value that holds this one is printed.
  public var debugDescription: String {
    (self as? any CustomStringConvertible)?.description ?? "\(Self.self)"
  }

  /// A mirror without children.
  public var customMirror: Mirror {
    Mirror(self, children: [], ancestorRepresentation: .suppressed)
  }
}

extension Redaction {
  /// The nature of an error, for messages: the text of an error from other code, or of one that
  /// quotes unreadable input, may contain anything.
  package static func nature(of error: any Error) -> String {
    switch error {
    case let error as any QuotableError: return error.description
    case let error as DecodingError: return description(of: error)
    case let error as EncodingError: return description(of: error)
    default:
      let bridged = error as NSError
      return "\(bridged.domain) \(bridged.code)"
    }
  }

  private static func description(of error: DecodingError) -> String {
    switch error {
    case .typeMismatch(let type, let context):
      let found = kinds.first { context.debugDescription.hasSuffix("but found \($0) instead.") }
      return "at \(path(context.codingPath)): expected \(type)"
        + (found.map { ", found \($0)" } ?? "")
    case .valueNotFound(let type, let context):
      return "at \(path(context.codingPath)): expected \(type), found null"
    case .keyNotFound(let key, let context):
      return "at \(path(context.codingPath)): no member \"\(name(of: key))\""
    case .dataCorrupted(let context):
      let reason = (context.underlyingError as? any QuotableError)?.description
      return "at \(path(context.codingPath)): " + (reason ?? "not what is expected there")
    @unknown default: return "\(DecodingError.self)"
    }
  }

  private static func description(of error: EncodingError) -> String {
    guard case .invalidValue(let value, let context) = error else { return "\(EncodingError.self)" }
    return "at \(path(context.codingPath)): a value of type \(type(of: value))"
  }

  /// The kinds of values in the messages of `JSONDecoder`.
  private static let kinds = ["a string", "bool", "a number", "null", "a dictionary", "an array"]

  /// The location in a document as a JSON path, such as `$.items[3].name`.
  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "$") { path, key in
      path += index(key).map { "[\($0)]" } ?? "." + name(of: key)
    }
  }

  /// The index in the key of an array; a number may also be a key of a dictionary.
  private static func index(_ key: any CodingKey) -> Int? {
    key.intValue.flatMap { key.stringValue == "Index \($0)" ? $0 : nil }
  }

  /// The name of a key that the program has declared, or of the path to what was decoded; any other one comes
  /// from the document.
  private static func name(of key: any CodingKey) -> String {
    if key is LocationKey { return key.stringValue }
    let mirror = Mirror(reflecting: key)
    return mirror.displayStyle == .enum && mirror.children.isEmpty ? key.stringValue : placeholder
  }
}

/// A name in the path to the part of a document that was decoded. It may be shown: it is from a path of the
/// program, or one that was recognized, and no content.
struct LocationKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
