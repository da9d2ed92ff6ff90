import Foundation

/// The settings for decoding and encoding JSON: the strategies of Foundation's `JSONDecoder` and `JSONEncoder`, by
/// the same names.
///
/// ```swift
/// service.configure {
///   $0.json.keyDecodingStrategy = .convertFromSnakeCase
///   $0.json.keyEncodingStrategy = .convertToSnakeCase
/// }
/// ```
public struct JSONSettings: Sendable {
  /// The strategy for dates in responses; ISO 8601 by default.
  public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .iso8601
  /// The strategy for matching object keys with property names; as they are by default.
  public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  /// The strategy for `Data` in responses; Base64 by default.
  public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy = .base64

  /// The strategy for dates in request bodies; ISO 8601 by default.
  public var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy = .iso8601
  /// The strategy for making object keys of property names; as they are by default.
  public var keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
  /// The strategy for `Data` in request bodies; Base64 by default.
  public var dataEncodingStrategy: JSONEncoder.DataEncodingStrategy = .base64

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

  /// Returns an encoder with these settings, and sorted object keys.
  public func makeEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = dateEncodingStrategy
    encoder.keyEncodingStrategy = keyEncodingStrategy
    encoder.dataEncodingStrategy = dataEncodingStrategy
    return encoder
  }
}
