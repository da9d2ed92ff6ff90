/// The transforms of responses and of decoded content, in named stages with a fixed order.
///
/// | Stage | Transforms | For example |
/// | --- | --- | --- |
/// | `raw` | the response as it was received | decrypt, check a signature |
/// | `decoding` | the same, later | unpack, change the charset |
/// | `parsing` | the same, before the ``ContentDecoder`` reads it | unwrap an envelope |
/// | `model` | the content | complete it from header fields |
/// | `cleanup` | the content | sort, trim |
///
/// Within a stage, transforms run in the order in which they were added. The stages up to `parsing` transform error
/// responses too. A 304 has no body and is not transformed: transformed header fields stay unless the 304 changes
/// them. Transforms run off the service's actor. If a transform throws an error, the request fails with kind
/// `.decoding`, unless the error is a ``ResourceError``; the content of the resource stays.
public struct Pipeline: Sendable {
  /// The stages before decoding, which transform the response.
  public enum ResponseStage: Int, Sendable, CaseIterable {
    /// The first stage: the response as it was received.
    case raw
    /// The second stage.
    case decoding
    /// The last stage before the content decoder.
    case parsing
  }

  /// The stages after decoding, which transform the content.
  public enum ContentStage: Int, Sendable, CaseIterable {
    /// The first stage after the content decoder.
    case model
    /// The last stage.
    case cleanup
  }

  private struct ContentTransform: Sendable {
    let type: ObjectIdentifier
    let apply: @Sendable (any Sendable, HTTPResponse) throws -> any Sendable
  }

  private var responses: [ResponseStage: [@Sendable (HTTPResponse) throws -> HTTPResponse]] = [:]
  private var contents: [ContentStage: [ContentTransform]] = [:]

  /// Creates a pipeline without transforms.
  public init() {}

  /// Adds a transform of the response.
  public mutating func add(
    at stage: ResponseStage,
    _ transform: @escaping @Sendable (HTTPResponse) throws -> HTTPResponse
  ) {
    responses[stage, default: []].append(transform)
  }

  /// Adds a transform of content of one type; content of other types is not changed.
  public mutating func add<Content: Sendable>(
    _ type: Content.Type, at stage: ContentStage,
    _ transform: @escaping @Sendable (Content, HTTPResponse) throws -> Content
  ) {
    let apply: @Sendable (any Sendable, HTTPResponse) throws -> any Sendable = {
      content, response in
      try (content as? Content).map { try transform($0, response) } ?? content
    }
    contents[stage, default: []].append(
      ContentTransform(type: ObjectIdentifier(type), apply: apply))
  }

  /// Removes the transforms of one stage, which earlier rules of the configuration have added.
  public mutating func removeAll(at stage: ResponseStage) {
    responses[stage] = nil
  }

  /// Removes the transforms of one stage, which earlier rules of the configuration have added.
  public mutating func removeAll(at stage: ContentStage) {
    contents[stage] = nil
  }

  func transform(_ response: consuming HTTPResponse) throws -> HTTPResponse {
    guard !responses.isEmpty else { return response }
    return try ResponseStage.allCases.reduce(response) { response, stage in
      try (responses[stage] ?? []).reduce(response) { try $1($0) }
    }
  }

  /// Whether it has no transforms.
  var isEmpty: Bool { responses.isEmpty && contents.isEmpty }

  /// Whether any transform takes content.
  var transformsContent: Bool { !contents.isEmpty }

  func transform<Content: Sendable>(
    _ content: Content, of response: HTTPResponse
  ) throws -> Content {
    let type = ObjectIdentifier(Content.self)
    return try ContentStage.allCases.reduce(content) { content, stage in
      try (contents[stage] ?? []).filter { $0.type == type }.reduce(content) { content, transform in
        try transform.apply(content, response) as? Content ?? content
      }
    }
  }
}
