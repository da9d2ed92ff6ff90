/// A configuration as it was made of the rules of one time.
final class ConfigurationVersion: Sendable {
  let value: Service.Configuration
  let version: Int
  /// Whether there is an authorizer: each request asks that several times, and would copy it each time.
  let hasAuthorizer: Bool

  init(_ value: Service.Configuration, version: Int) {
    self.value = value
    self.version = version
    hasAuthorizer = value.authorizer != nil
  }
}
