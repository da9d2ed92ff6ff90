import Freshet

/// A zone of records in a database.
public struct CloudKitZone: Sendable, Hashable {
  /// The name of the zone.
  public var name: String
  /// The record name of the user whose zone it is; nil for the current user.
  public var ownerRecordName: String?

  /// Creates the identification of a zone.
  public init(name: String, ownerRecordName: String? = nil) {
    self.name = name
    self.ownerRecordName = ownerRecordName
  }

  init?(_ json: JSONText?) {
    guard let name = json?["zoneName"]?.string else { return nil }
    self.init(name: name, ownerRecordName: json?["ownerRecordName"]?.string)
  }

  var json: JSONText {
    var members = [(name: "zoneName", value: JSONText(string: name))]
    if let ownerRecordName {
      members.append((name: "ownerRecordName", value: JSONText(string: ownerRecordName)))
    }
    return .object(members)
  }
}
