/// A configuration as it was made of the rules of one time.
final class ConfigurationVersion: Sendable {
  let value: Service.Configuration
  let version: Int

  init(_ value: Service.Configuration, version: Int) {
    self.value = value
    self.version = version
  }
}
