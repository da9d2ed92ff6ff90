import Freshet

extension Browser {
  /// The texts of a browser that depend on more than its list.
  public struct Texts {
    /// An item on one line.
    public var item: (JSONText) -> String
    /// The reason why a list has stopped, the place, and the advice; nil if it has not stopped.
    public var explanation: @MainActor (PagedCollection<JSONText>) -> String?
    /// A text without secrets, which a server may have quoted.
    public var hidden: (String) -> String

    /// Creates texts.
    ///
    /// - Parameters:
    ///   - item: an item on one line.
    ///   - explanation: the reason why a list has stopped.
    ///   - hidden: a text without secrets.
    public init(
      item: @escaping (JSONText) -> String,
      explanation: @escaping @MainActor (PagedCollection<JSONText>) -> String?,
      hidden: @escaping (String) -> String
    ) {
      (self.item, self.explanation, self.hidden) = (item, explanation, hidden)
    }
  }
}
