/// A URL that nothing can be loaded from, and why. An object, because almost no resource has one.
final class UnusableURL: Error, Sendable {
  let url: String
  let reason: String

  init(_ url: String, _ reason: String) {
    self.url = url
    self.reason = reason
  }
}
