import Freshet

/// An order of records by one field.
public struct CloudKitSort: Sendable, Hashable {
  /// The name of the field.
  public var field: String
  /// Whether the smallest value is first.
  public var isAscending: Bool
  /// The location from which distances are measured, for a field that is a location: the nearest record
  /// is first.
  public var relativeTo: CloudKitLocation?

  /// Creates an order of records by a field.
  public init(_ field: String, ascending: Bool = true, relativeTo: CloudKitLocation? = nil) {
    self.field = field
    isAscending = ascending
    self.relativeTo = relativeTo
  }

  var json: JSONText {
    var members = [
      (name: "fieldName", value: JSONText(string: field)),
      (name: "ascending", value: JSONText(bool: isAscending)),
    ]
    if let relativeTo { members.append(("relativeLocation", relativeTo.json)) }
    return .object(members)
  }
}
