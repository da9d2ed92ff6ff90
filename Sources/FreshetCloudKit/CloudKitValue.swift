import Foundation
import Freshet

/// The value that a field is compared to.
public enum CloudKitValue: Sendable, Hashable {
  /// Text.
  case string(String)
  /// A whole number.
  case int(Int)
  /// A finite number.
  case double(Double)
  /// A point in time, to the millisecond.
  case date(Date)
  /// Bytes.
  case bytes(Data)
  /// A location.
  case location(CloudKitLocation)
  /// Another record, by its name.
  case reference(recordName: String, zone: CloudKitZone? = nil)
  /// Several values, all of one kind.
  case list([CloudKitValue])

  /// Value and type, as a field of a record is sent.
  var json: JSONText {
    var members = [(name: "value", value: value)]
    if let type { members.append(("type", JSONText(string: type))) }
    return .object(members)
  }

  private var value: JSONText {
    switch self {
    case .string(let text): JSONText(string: text)
    case .int(let number): JSONText(int: number)
    case .double(let number): JSONText(finite: number)
    case .date(let date):
      JSONText(int: Int(clamping: date.timeIntervalSince1970 * 1000))
    case .bytes(let data): JSONText(string: data.base64EncodedString())
    case .location(let location): location.json
    case .reference(let recordName, let zone):
      .object(
        [(name: "recordName", value: JSONText(string: recordName))]
          + (zone.map { [(name: "zoneID", value: $0.json)] } ?? [])
          + [(name: "action", value: JSONText(string: "NONE"))])
    case .list(let values): .array(values.map(\.value))
    }
  }

  /// The name of the type; nil for an empty list.
  private var type: String? {
    switch self {
    case .string: "STRING"
    case .int: "INT64"
    case .double: "DOUBLE"
    case .date: "TIMESTAMP"
    case .bytes: "BYTES"
    case .location: "LOCATION"
    case .reference: "REFERENCE"
    case .list(let values): values.first?.type.map { $0 + "_LIST" }
    }
  }
}
