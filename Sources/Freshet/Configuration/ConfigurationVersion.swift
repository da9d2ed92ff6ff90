/// A configuration as it was made of the rules of one time.
final class ConfigurationVersion: Sendable {
  let value: Service.Configuration
  let version: Int
  /// A digest of who asks, see ``HTTPVariant``; 0 for anyone.
  let user: UInt64

  init(_ value: Service.Configuration, version: Int) {
    self.value = value
    self.version = version
    user = HTTPVariant.user(value.account, sending: value.headers, except: value.varyingHeaders)
  }
}
