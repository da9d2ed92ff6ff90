import Foundation

/// An entry of a persistent cache: a response, and the date when it was received.
public struct CachedEntry: Sendable, Hashable {
  /// The response as it was received, with the header fields updated by each response of status
  /// 304.
  public var response: HTTPResponse
  /// The date at which the response was received, or last confirmed by a 304.
  public var timestamp: Date
  /// A digest of the user and of the request's values for the fields in the response's `Vary`; 0 if there are
  /// neither.
  ///
  /// An entry is used only for requests that have the same digest.
  public var variant: UInt64

  /// Creates an entry.
  public init(response: HTTPResponse, timestamp: Date, variant: UInt64 = 0) {
    self.response = response
    self.timestamp = timestamp
    self.variant = variant
  }
}

extension CachedEntry: CustomStringConvertible, CustomDebugStringConvertible {
  /// The response without its body, with secrets replaced, and the date.
  public var description: String { "\(response), \(timestamp)" }

  /// The description, followed by the header fields without the values of secret ones.
  public var debugDescription: String { "\(response.debugDescription), \(timestamp)" }
}

/// Storing entries, for instance in the files of a cache.
extension CachedEntry: Codable {
  private enum CodingKeys: String, CodingKey {
    case response, timestamp, variant
  }

  /// Creates a value by decoding what ``encode(to:)`` wrote.
  ///
  /// - Throws: `DecodingError` if a part is missing or of another type, the date is before
  ///   `Date.distantPast` or after the year 9999, or the response is not valid: see ``HTTPResponse/init(from:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let seconds = try container.decode(Double.self, forKey: .timestamp)
    guard CachedEntry.dates.contains(seconds) else {
      throw DecodingError.dataCorruptedError(
        forKey: .timestamp, in: container, debugDescription: CachedEntry.problem)
    }
    self.init(
      response: try container.decode(HTTPResponse.self, forKey: .response),
      timestamp: Date(timeIntervalSinceReferenceDate: seconds),
      variant: try container.decodeIfPresent(UInt64.self, forKey: .variant) ?? 0)
  }

  /// Encodes the entry in a stable form, which later versions of Freshet can decode.
  ///
  /// The form is an object with the members `response` (see ``HTTPResponse/encode(to:)``) and `timestamp`, and
  /// ``variant`` unless that is 0. The timestamp is a number, the seconds since 2001-01-01 00:00:00 UTC, whatever the
  /// date strategy of the encoder, so that decoding returns exactly the same date.
  ///
  /// **Secrets are not removed.** Body, header fields such as `Set-Cookie`, and the query of the URL are written
  /// unchanged: store the result where no other user can read it, and remove it at sign-out.
  ///
  /// - Throws: `EncodingError` for an entry that could not be read again: see ``init(from:)``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let seconds = timestamp.timeIntervalSinceReferenceDate
    guard CachedEntry.dates.contains(seconds) else {
      // Not the date itself: one that is not a number cannot be printed.
      throw EncodingError.invalidValue(
        seconds, .init(codingPath: container.codingPath, debugDescription: CachedEntry.problem))
    }
    try container.encode(response, forKey: .response)
    try container.encode(seconds, forKey: .timestamp)
    if variant != 0 { try container.encode(variant, forKey: .variant) }
  }

  /// From `Date.distantPast` to the end of the year 9999, in seconds since the reference date.
  static let dates = -63_114_076_800.0..<252_423_993_600
  private static let problem = "the date is not of the years 1 to 9999"
}
