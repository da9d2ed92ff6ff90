import Freshet

/// A location on Earth.
public struct CloudKitLocation: Sendable, Hashable {
  /// The degrees north of the equator.
  public var latitude: Double
  /// The degrees east of Greenwich.
  public var longitude: Double

  /// Creates a location from finite numbers.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  var json: JSONText {
    .object([
      (name: "latitude", value: JSONText(finite: latitude)),
      (name: "longitude", value: JSONText(finite: longitude)),
    ])
  }
}
