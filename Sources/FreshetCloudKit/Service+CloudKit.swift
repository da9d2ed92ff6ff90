import Foundation
import Freshet

/// Queries of CloudKit Web Services. The base URL of the service is ``CloudKitDatabase/baseURL``, and
/// its authorizer ``CloudKitCredentials``.
extension Service {
  /// Returns the first page of a query's records, for a `PageQuery`, and to continue at a stored cursor with
  /// `Resource.following(_:allowing:)`.
  public func recordPage(
    _ query: CloudKitQuery, in database: CloudKitDatabase
  ) -> Resource<Page<CloudKitItem<CloudKitRecord>>> {
    page(query, in: database, decoder: .cloudKit(read: Self.record))
  }

  /// Returns the first page of a query's records, each decoded from its JSON.
  ///
  /// The JSON is an object with `recordName`, `recordType`, and `fields`, an object of objects with `value` and
  /// `type`.
  ///
  /// A record that cannot be decoded fails the load of its page; one that the server reports an
  /// error for is not decoded.
  public func recordPage<Record: Decodable & Sendable>(
    _ query: CloudKitQuery, in database: CloudKitDatabase, as type: Record.Type
  ) -> Resource<Page<CloudKitItem<Record>>> {
    page(
      query, in: database,
      decoder: .cloudKit { json, input in
        try json.decode(type, decoder: input.jsonSettings.makeDecoder())
      }
    )
  }

  /// Returns a list of the records of a query.
  ///
  /// Each page has its own marker and the same query. If the server no longer accepts a marker,
  /// which it reports as ``CloudKitError/Code/badRequest``, the list is loaded from its start again
  /// once, unless the options say otherwise.
  public func records(
    _ query: CloudKitQuery, in database: CloudKitDatabase,
    options: PagedCollection<CloudKitItem<CloudKitRecord>>.Options = .init()
  ) -> PagedCollection<CloudKitItem<CloudKitRecord>> {
    PagedCollection(firstPage: recordPage(query, in: database), options: options)
  }

  /// Returns a list of the records of a query, each decoded from its JSON.
  ///
  /// Records that are `Equatable` are left out of the changes that observers receive if they are equal to those they
  /// replace.
  public func records<Record: Decodable & Sendable>(
    _ query: CloudKitQuery, in database: CloudKitDatabase, as type: Record.Type,
    options: PagedCollection<CloudKitItem<Record>>.Options = .init()
  ) -> PagedCollection<CloudKitItem<Record>> {
    PagedCollection(firstPage: recordPage(query, in: database, as: type), options: options)
  }

  private func page<Record>(
    _ query: CloudKitQuery, in database: CloudKitDatabase,
    decoder: ContentDecoder<Page<CloudKitItem<Record>>>
  ) -> Resource<Page<CloudKitItem<Record>>> {
    resource(.post, database.path("records/query"), body: query.body, decoder: decoder)
  }

  @Sendable
  private static func record(_ json: JSONText, _ input: DecodingInput) throws -> CloudKitRecord {
    guard let record = CloudKitRecord(json) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "a record without a recordName"))
    }
    return record
  }
}
