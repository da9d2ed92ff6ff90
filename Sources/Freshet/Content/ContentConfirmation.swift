/// A confirmation by 304 of content that a decoder has read, as the decoder sees it.
struct ContentConfirmation: Sendable {
  /// The request.
  let key: ResourceKey
  /// The URL of the response, after redirects.
  let url: String
  /// The header fields that the content was derived from before.
  let oldHeaders: HTTPHeaders
  /// The same, brought up to date by the 304.
  let headers: HTTPHeaders
}
