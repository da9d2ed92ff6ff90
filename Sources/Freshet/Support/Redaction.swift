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

  private static let secretNames: Set<String> = ["code", "dpop", "jwt", "pass", "pwd", "sig"]
  private static let secretEndings = ["auth", "key"]
  private static let secretParts = [
    "authorization", "bearer", "cookie", "credential", "passphrase", "passwd", "password", "secret",
    "session",
    "signature", "token",
  ]
}
