/// An object that a layer above keeps at a resource, and that is called when the content changes.
class ResourceAttachment {
  /// Called right before the data, or what came with it, is changed.
  func dataWillChange() {}

  /// Called when the content was replaced, edited or confirmed, after the event of that was posted.
  func contentChanged() {}

  /// Makes an edit of the resource there, and wherever else its content is shown.
  ///
  /// - Returns: nil if the content is shown nowhere else; then the edit is not made.
  func share(_ edit: @escaping ContentEdit) -> ContentUpdate? { nil }
}
