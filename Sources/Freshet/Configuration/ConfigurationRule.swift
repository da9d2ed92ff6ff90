import Foundation

/// One rule of a service's configuration. An object, so that one can be removed again.
final class ConfigurationRule {
  let pattern: URLPattern?
  let methods: Set<HTTPMethod>?
  let predicate: ((HTTPMethod, URL) -> Bool)?
  let change: (inout Service.Configuration) -> Void

  init(
    pattern: URLPattern?, methods: Set<HTTPMethod>?, predicate: ((HTTPMethod, URL) -> Bool)?,
    change: @escaping (inout Service.Configuration) -> Void
  ) {
    self.pattern = pattern
    self.methods = methods
    self.predicate = predicate
    self.change = change
  }

  /// Whether the rule applies to every request.
  var isUnconditional: Bool { pattern == nil && methods == nil && predicate == nil }

  func matches(_ method: HTTPMethod, _ url: String) -> Bool {
    if let methods, !methods.contains(method) { return false }
    if let pattern, !pattern.matches(url) { return false }
    guard let predicate else { return true }
    return URL(string: url).map { predicate(method, $0) } ?? false
  }
}

/// A configuration as it was made of the rules of one time.
final class ConfigurationVersion: Sendable {
  let value: Service.Configuration
  let version: Int
  /// A digest of who asks, see ``HTTPVariant``; 0 for anyone.
  let user: UInt64

  init(_ value: Service.Configuration, version: Int) {
    self.value = value
    self.version = version
    user = HTTPVariant.user(
      value.userIdentifier, sending: value.headers, except: value.varyingHeaders)
  }
}
