/// Content as an object.
final class ContentBox<Content: Sendable>: Sendable {
  let value: Content

  init(_ value: Content) {
    self.value = value
  }

  /// The content of a box of this type. The owner of the box guarantees the type: a resource only
  /// ever receives boxes that its own decoder or its own methods have made.
  static func value(of box: AnyContent) -> Content {
    unsafeDowncast(box, to: ContentBox.self).value
  }

  /// An edit of content of this type, for callers that do not know the type.
  static func edit(_ change: @escaping (inout Content) -> Void) -> ContentEdit {
    { box in
      var value = value(of: box)
      change(&value)
      return ContentBox(value)
    }
  }
}
