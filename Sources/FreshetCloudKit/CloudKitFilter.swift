import Freshet

/// A condition on a field of a record.
public struct CloudKitFilter: Sendable, Hashable {
  /// The comparisons of a field with a value.
  public enum Comparator: String, Sendable, Hashable, CaseIterable {
    /// The field is the value.
    case equals = "EQUALS"
    /// The field is not the value.
    case notEquals = "NOT_EQUALS"
    /// The field is less than the value.
    case lessThan = "LESS_THAN"
    /// The field is the value or less.
    case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
    /// The field is greater than the value.
    case greaterThan = "GREATER_THAN"
    /// The field is the value or greater.
    case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
    /// The field is within ``CloudKitFilter/distance`` of the location.
    case near = "NEAR"
    /// The text has all the words.
    case containsAllTokens = "CONTAINS_ALL_TOKENS"
    /// The text has one of the words.
    case containsAnyTokens = "CONTAINS_ANY_TOKENS"
    /// The field is one of the values of a list.
    case isIn = "IN"
    /// The field is none of the values of a list.
    case isNotIn = "NOT_IN"
    /// The list in the field has the value.
    case listContains = "LIST_CONTAINS"
    /// The list in the field does not have the value.
    case notListContains = "NOT_LIST_CONTAINS"
    /// The list in the field has all the values.
    case listContainsAll = "LIST_CONTAINS_ALL"
    /// The list in the field lacks one of the values.
    case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
    /// The list in the field has none of the values.
    case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
    /// The text begins with the value.
    case beginsWith = "BEGINS_WITH"
    /// The text does not begin with the value.
    case notBeginsWith = "NOT_BEGINS_WITH"
    /// A text of the list in the field begins with the value.
    case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    /// No text of the list in the field begins with the value.
    case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
  }

  /// The name of the field.
  public var field: String
  /// The comparison of the field with the value.
  public var comparator: Comparator
  /// The value that the field is compared to.
  public var value: CloudKitValue
  /// The distance in meters; for ``Comparator/near``.
  public var distance: Double?

  /// Creates a filter.
  public init(
    _ field: String, _ comparator: Comparator, _ value: CloudKitValue, distance: Double? = nil
  ) {
    self.field = field
    self.comparator = comparator
    self.value = value
    self.distance = distance
  }

  var json: JSONText {
    var members = [
      (name: "comparator", value: JSONText(string: comparator.rawValue)),
      (name: "fieldName", value: JSONText(string: field)),
      (name: "fieldValue", value: value.json),
    ]
    if let distance { members.append(("distance", JSONText(finite: distance))) }
    return .object(members)
  }
}
