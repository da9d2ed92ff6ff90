import Foundation

/// The settings for decoding JSON: the strategies of Foundation's `JSONDecoder`, by the same names.
public struct JSONSettings: Sendable {
  /// The strategy for dates; ISO 8601 by default.
  public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .iso8601
  /// The strategy for matching object keys with property names; as they are by default.
  public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  /// The strategy for `Data`; Base64 by default.
  public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy = .base64

  /// Creates the default settings.
  public init() {}

  /// Returns a decoder with these settings.
  public func makeDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = dateDecodingStrategy
    decoder.keyDecodingStrategy = keyDecodingStrategy
    decoder.dataDecodingStrategy = dataDecodingStrategy
    return decoder
  }
}
