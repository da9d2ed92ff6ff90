/// The URL that a relative reference is resolved against.
public enum ReferenceBase: Sendable {
  /// The URL of the resource.
  case resource
  /// The URL of the latest response, after redirects; before the first response, that of the
  /// resource.
  case response
}
