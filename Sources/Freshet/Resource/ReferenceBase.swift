/// What a reference is relative to.
public enum ReferenceBase: Sendable {
  /// The URL of the resource.
  case resource
  /// The URL that answered, after redirects; that of the resource before the first answer.
  case response
}
