import Foundation

/// Storing responses, for instance in a cache.
extension HTTPResponse: Codable {
  private enum CodingKeys: String, CodingKey {
    case status, url, headers, body
  }

  /// Creates a value by decoding what ``encode(to:)`` wrote.
  ///
  /// - Throws: `DecodingError` if a part is missing or of another type, the status is not 100…599, the
  ///   URL is not absolute, or a header field is not valid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let status = try container.decode(Int.self, forKey: .status)
    guard HTTPResponse.statuses.contains(status) else {
      throw DecodingError.dataCorruptedError(
        forKey: .status, in: container, debugDescription: "the status is not 100…599")
    }
    let text = try container.decode(String.self, forKey: .url)
    guard let address = URLText(exactly: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .url, in: container, debugDescription: "the URL is not absolute")
    }
    self.init(
      status: status,
      headers: try container.decodeIfPresent(HTTPHeaders.self, forKey: .headers) ?? [:],
      body: try container.decodeIfPresent(Data.self, forKey: .body) ?? Data(),
      address: address)
  }

  /// Writes an object with the members `status`, a number; `url`, a string; and, where they are not empty,
  /// `headers`, an array of lines, see ``HTTPHeaders/encode(to:)``; and `body`, as the coder writes `Data`:
  /// in Base64 with `JSONEncoder`, as it is with `PropertyListEncoder`.
  ///
  /// ```json
  /// {"status": 200, "url": "https://api.test/a", "headers": ["ETag: \"7\""], "body": "b25l"}
  /// ```
  ///
  /// **All is written as it is, secrets included**: body, header fields such as `Set-Cookie`, and the
  /// query of the URL. What stores it has to keep it as the program keeps what it shows.
  ///
  /// - Throws: `EncodingError` for a response that could not be read again: see ``init(from:)``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func refuse(_ problem: String) -> EncodingError {
      .invalidValue(self, .init(codingPath: container.codingPath, debugDescription: problem))
    }
    guard HTTPResponse.statuses.contains(status) else { throw refuse("the status is not 100…599") }
    guard url.scheme != nil else { throw refuse("the URL is not absolute") }
    try container.encode(status, forKey: .status)
    try container.encode(urlString, forKey: .url)
    if !headers.fields.isEmpty { try container.encode(headers, forKey: .headers) }
    if !body.isEmpty { try container.encode(body, forKey: .body) }
  }

  private static let statuses = 100...599
}
