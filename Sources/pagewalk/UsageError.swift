/// The error of invalid arguments: the argument, and what is expected.
///
/// It shows no value that may be a secret.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
