/// The choice among several copies of an item; the one that is shown keeps its place.
public enum ItemChoice: Sendable, Hashable {
  /// The copy on the earliest page of the list.
  case first
  /// The copy that the server sent or confirmed last.
  case newest
}
