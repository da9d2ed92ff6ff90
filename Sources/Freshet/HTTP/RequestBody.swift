import Foundation

/// The body of a request, as a value that is encoded when the request is sent.
///
/// Encoding runs off the service's actor. An error of the encoder fails the request with kind
/// `.invalidRequest`.
public struct RequestBody: Sendable {
  let contentType: String
  let encode: @Sendable (JSONSettings) throws -> Data

  private init(
    _ contentType: String, encode: @escaping @Sendable (JSONSettings) throws -> Data
  ) {
    self.contentType = contentType
    self.encode = encode
  }

  /// Returns a JSON body, encoded from a value with the settings of ``Service/Configuration/json``, and with sorted
  /// object keys.
  ///
  /// A ``JSONText`` is sent as it is.
  ///
  /// - Parameters:
  ///   - value: the value to encode.
  ///   - configure: changes the strategies of the encoder for this body.
  public static func json(
    _ value: some Encodable & Sendable,
    configure: @escaping @Sendable (JSONEncoder) -> Void = { _ in }
  ) -> RequestBody {
    RequestBody("application/json") { settings in
      let encoder = settings.makeEncoder()
      configure(encoder)
      return try JSONText.encode(value, with: encoder)
    }
  }

  /// Returns a body of text in UTF-8.
  public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> Self
  {
    RequestBody(contentType) { _ in Data(text.utf8) }
  }

  /// Returns a form as a body, `application/x-www-form-urlencoded`; names may repeat and keep their
  /// order.
  public static func form(_ fields: [(name: String, value: String)]) -> Self {
    RequestBody("application/x-www-form-urlencoded") { _ in
      let pairs = fields.map { "\(formEncoded($0.name))=\(formEncoded($0.value))" }
      return Data(pairs.joined(separator: "&").utf8)
    }
  }

  /// Returns a body of bytes, which are sent as they are.
  public static func data(_ data: Data, contentType: String) -> Self {
    RequestBody(contentType) { _ in data }
  }

  /// The URL standard's form encoding: unreserved bytes stay, a space is `+`.
  private static func formEncoded(_ text: String) -> String {
    let hex = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { encoded, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: " "):
        encoded.append("+")
      default:
        encoded.append("%")
        encoded.append(hex[Int(byte >> 4)])
        encoded.append(hex[Int(byte & 15)])
      }
    }
  }
}
