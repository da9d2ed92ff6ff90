import Foundation
import Freshet

/// One field of a record.
public struct CloudKitField: Sendable, Hashable {
  /// The field as the server sent it, an object of value and type.
  public let json: JSONText

  /// The value as the server sent it; nil if it sent none.
  public var value: JSONText? { json["value"] }
  /// The name of the type, such as `STRING`, `TIMESTAMP` or `INT64_LIST`.
  public var type: String? { json["type"]?.string }

  /// The value as text; nil for any other kind.
  public var string: String? { value?.string }
  /// The value as a whole number that `Int` can hold, even if it was sent as text; nil for any other kind.
  public var int: Int? { value.flatMap { $0.int ?? $0.string.flatMap(Int.init) } }
  /// The value as a number, even if it was sent as text; nil for any other kind.
  public var double: Double? { value.flatMap { $0.double ?? $0.string.flatMap(Double.init) } }
  /// The value as a date, sent as milliseconds since 1970; nil for any other kind.
  public var date: Date? { double.map { Date(timeIntervalSince1970: $0 / 1000) } }
  /// The value as bytes, sent as Base64; nil for any other kind.
  public var data: Data? { string.flatMap { Data(base64Encoded: $0) } }
  /// The value as a location; nil for any other kind.
  public var location: CloudKitLocation? {
    guard let latitude = value?["latitude"]?.double, let longitude = value?["longitude"]?.double
    else { return nil }
    return CloudKitLocation(latitude: latitude, longitude: longitude)
  }
  /// The name of the referenced record; nil for any other kind.
  public var reference: String? { value?["recordName"]?.string }
}
