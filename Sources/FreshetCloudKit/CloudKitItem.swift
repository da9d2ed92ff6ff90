import Freshet

/// One element of the response to a query: a record, or the error that was sent instead.
///
/// A query can succeed while some of its records fail. Those stay in the list, in their place.
///
/// ```swift
/// var options = PagedCollection<CloudKitItem<CloudKitRecord>>.Options()
/// options.identity = ItemIdentity { $0.recordName }  // unique within a zone
/// ```
public struct CloudKitItem<Record: Sendable>: Sendable {
  /// The name of the record, if the server sends it.
  public let recordName: String?
  /// The zone of the record, if the server sends it.
  public let zone: CloudKitZone?
  /// The record, or the error that was sent instead.
  public let result: Result<Record, CloudKitError>

  /// Creates an item.
  public init(
    recordName: String?, zone: CloudKitZone? = nil, result: Result<Record, CloudKitError>
  ) {
    self.recordName = recordName
    self.zone = zone
    self.result = result
  }

  /// Reads an element of `records`.
  init(_ json: JSONText, read: (JSONText) throws -> Record) throws {
    let result: Result<Record, CloudKitError> =
      try CloudKitError(json).map { .failure($0) } ?? .success(read(json))
    self.init(
      recordName: json["recordName"]?.string, zone: CloudKitZone(json["zoneID"]), result: result)
  }

  /// The record, if it was sent.
  public var record: Record? { try? result.get() }
  /// The error that was sent instead of the record, if any.
  public var error: CloudKitError? {
    if case .failure(let error) = result { error } else { nil }
  }
}

extension CloudKitItem: Equatable where Record: Equatable {}
extension CloudKitItem: Hashable where Record: Hashable {}

extension ContentDecoder {
  /// A decoder of one page of records.
  ///
  /// A response that is an error in spite of its status is an error here too.
  static func cloudKit<Record>(
    read: @escaping @Sendable (JSONText, DecodingInput) throws -> Record
  ) -> ContentDecoder where Content == Page<CloudKitItem<Record>> {
    var decoder = ContentDecoder("cloudkit") { input in
      let page: Page<JSONText>
      do {
        page = try PageStyle.cloudKit.page(from: input.response, to: input.key)
      } catch PageError.noItems(_, let kind) {
        guard let error = CloudKitError(try JSONText(parsing: input.response.body)) else {
          throw PageError.noItems(at: "records", kind)
        }
        throw ResourceError(
          error.asksForFewerRequests || error.code == .tryAgainLater ? .rateLimited : .http,
          "\(input.location) responded with the error \(error.code).",
          status: input.response.status,
          retryAfter: error.retryAfter, decodedBody: error)
      }
      return Page(
        items: try page.items.map { json in try CloudKitItem(json) { try read($0, input) } },
        next: page.next, style: page.style)
    }
    decoder.decodeErrors { input in
      let body = try JSONText(parsing: input.response.body)
      guard let error = CloudKitError(body) else {
        throw PageError.noItems(at: "serverErrorCode", body["serverErrorCode"]?.kind)
      }
      return error
    }
    return decoder
  }
}
