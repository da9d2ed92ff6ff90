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

  /// Encodes the response in a stable form, which later versions of Freshet can decode.
  ///
  /// The form is an object with the members `status`, a number, and `url`, a string. If they are not empty, it also
  /// has `headers`, an array of lines (see ``HTTPHeaders/encode(to:)``), and `body`, as the encoder writes `Data`: in
  /// Base64 with `JSONEncoder`, as bytes with `PropertyListEncoder`.
  ///
  /// ```json
  /// {"status": 200, "url": "https://api.test/a", "headers": ["ETag: \"7\""], "body": "b25l"}
  /// ```
  ///
  /// **Secrets are not removed.** Body, header fields such as `Set-Cookie`, and the query of the URL are written
  /// unchanged: store the result where no other user can read it.
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
