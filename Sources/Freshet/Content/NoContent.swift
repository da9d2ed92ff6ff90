/// The content of a response whose body is ignored.
public struct NoContent: Sendable, Hashable {
  /// Creates the content.
  public init() {}
}

extension ContentDecoder<NoContent> {
  /// A decoder that ignores the body, whatever its media type.
  public static var noContent: ContentDecoder {
    ContentDecoder("no content") { _ in NoContent() }
  }
}
