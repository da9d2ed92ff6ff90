/// A configuration as it was made of the rules of one time.
final class ConfigurationVersion: Sendable {
  let value: Service.Configuration
  let version: Int
  // Every request asks for these, and to look at an existential value means to copy it.
  let hasCache: Bool
  let hasAuthorizer: Bool
  let hasRetries: Bool

  init(_ value: Service.Configuration, version: Int) {
    self.value = value
    self.version = version
    hasCache = value.cache != nil
    hasAuthorizer = value.authorizer != nil
    hasRetries = value.retries.maximumRetries > 0
  }
}
