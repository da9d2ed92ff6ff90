import Foundation

/// The settings for decoding JSON: the strategies of `JSONDecoder`.
public struct JSONSettings: Sendable {
  /// The strategy for dates; ISO 8601 by default.
  public var dates: JSONDecoder.DateDecodingStrategy = .iso8601
  /// The strategy for matching object keys with property names; as they are by default.
  public var keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  /// The strategy for `Data`; Base64 by default.
  public var data: JSONDecoder.DataDecodingStrategy = .base64

  /// Creates the default settings.
  public init() {}

  /// Returns a decoder with these settings.
  public func makeDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = dates
    decoder.keyDecodingStrategy = keys
    decoder.dataDecodingStrategy = data
    return decoder
  }
}
