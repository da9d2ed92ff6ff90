import Foundation

/// The input of a decoder: the response, its request, and the settings for JSON.
public struct DecodingInput: Sendable {
  /// The response, after the response transforms of the pipeline.
  public let response: HTTPResponse
  /// The identity of the resource that was requested.
  public let key: ResourceKey
  /// The configured settings for JSON.
  public let jsonSettings: JSONSettings
  /// Receives what is odd about the response and does not keep it from being read; nil without a log.
  var warn: (@Sendable (Oddity, _ message: String) -> Void)?

  /// What is odd about a response that can be read.
  enum Oddity: Sendable {
    /// The media type is not that of the content.
    case mislabeledContent
    /// A page is taken for the whole list, and nothing in the response says that it is.
    case presumedEnd
    /// A page may have other items than it should.
    case doubtfulPage
  }

  /// Creates an input, for testing a decoder by itself.
  public init(response: HTTPResponse, key: ResourceKey, jsonSettings: JSONSettings = JSONSettings())
  {
    self.response = response
    self.key = key
    self.jsonSettings = jsonSettings
  }

  /// The origin and path of the response, for messages.
  package var location: String { Redaction.serverLocation(response.urlString) }
}

extension DecodingInput: CustomStringConvertible, CustomDebugStringConvertible, SecretHolding {
  /// The response without its body, with secrets replaced.
  public var description: String { "\(key.method) \(response)" }

  /// The description, followed by the header fields without the values of secret ones.
  public var debugDescription: String { "\(key.method) \(response.debugDescription)" }
}
