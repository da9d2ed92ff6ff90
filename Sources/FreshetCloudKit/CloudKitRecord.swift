import Foundation
import Freshet

/// One record, as CloudKit Web Services send it.
///
/// ```swift
/// let title = record["title"]?.string
/// let size = record["size"]?.int
/// ```
public struct CloudKitRecord: Sendable, Hashable {
  /// The name of the record, unique in its zone.
  public let recordName: String
  /// The type of the record; nil if the server leaves it out, as for a deleted one.
  public let recordType: String?
  /// The zone, if the server sends it.
  public let zone: CloudKitZone?
  /// The identifier of this version of the record.
  public let changeTag: String?
  /// Everything that the server sent.
  public let json: JSONText

  /// Reads a record; nil if the value is none.
  init?(_ json: JSONText) {
    guard let recordName = json["recordName"]?.string else { return nil }
    self.recordName = recordName
    recordType = json["recordType"]?.string
    zone = CloudKitZone(json["zoneID"])
    changeTag = json["recordChangeTag"]?.string
    self.json = json
  }

  /// A field; nil if the record has no field of that name, or it was not among the desired ones.
  ///
  /// - Complexity: O(*n*) in the bytes of the record.
  public subscript(field: String) -> CloudKitField? {
    json[at: JSONPath(names: ["fields"])]?[field].map(CloudKitField.init)
  }

  /// The date at which the record was created, if the server sends it.
  public var created: Date? { date("created") }
  /// The date at which the record was last changed, if the server sends it.
  public var modified: Date? { date("modified") }

  private func date(_ member: String) -> Date? {
    (json[member]?["timestamp"]).flatMap(\.double).map { Date(timeIntervalSince1970: $0 / 1000) }
  }
}
