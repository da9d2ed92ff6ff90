#if canImport(CloudKit)
  import CloudKit
  import Foundation
  import Freshet

  /// A transport that runs `CKQueryOperation`s, so that results of the CloudKit framework are paged lists.
  ///
  /// ```swift
  /// let transport = CloudKitOperationTransport {
  ///   CKContainer.default().privateCloudDatabase
  /// } operation: { cursor in
  ///   let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
  ///   let operation = cursor.map { CKQueryOperation(cursor: $0) } ?? CKQueryOperation(query: query)
  ///   operation.resultsLimit = 100
  ///   return operation
  /// }
  /// let service = Service(baseURL: CloudKitOperationTransport.baseURL, transport: transport)
  /// let notes = service.records { Note($0) }
  /// ```
  ///
  /// One transport is for one query. Each request is one operation; its body holds the cursor, and the
  /// response has the form of CloudKit Web Services, with archived records. A request that is cancelled
  /// cancels its operation.
  public struct CloudKitOperationTransport: Transport {
    /// A base URL for the service; nothing is ever sent there.
    public static let baseURL = "https://cloudkit.invalid"

    private enum Event: Sendable {
      case record(JSONText)
      case cursor(JSONText)
    }

    private let database: @Sendable () -> CKDatabase
    private let operation: @Sendable (CKQueryOperation.Cursor?) -> CKQueryOperation

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - database: the database that operations are added to.
    ///   - operation: makes the operation for the page at a cursor, nil for the first page. Its
    ///     `recordMatchedBlock` and `queryResultBlock` are set afterwards.
    public init(
      database: @escaping @Sendable () -> CKDatabase,
      operation: @escaping @Sendable (CKQueryOperation.Cursor?) -> CKQueryOperation
    ) {
      self.database = database
      self.operation = operation
    }

    /// Runs an operation and returns its records and its cursor.
    ///
    /// - Throws: `ResourceError` with a ``CloudKitError`` as its body; `TransportError` of kind
    ///   `.cancelled`, or `.invalidRequest` for a cursor that is none of CloudKit's;
    ///   `JSONText.SyntaxError` for a request body that is not JSON.
    @concurrent
    public func send(
      _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> HTTPResponse {
      let operation = operation(try Self.cursor(of: request))
      let (events, sender) = AsyncThrowingStream<Event, any Error>.makeStream()
      operation.recordMatchedBlock = { id, result in
        sender.yield(.record(Self.json(of: id, result)))
      }
      operation.queryResultBlock = { result in
        sender.finish(
          throwing: Self.failure {
            guard let cursor = try result.get() else { return }
            sender.yield(.cursor(try Self.archive(cursor)))
          })
      }
      sender.onTermination = { _ in operation.cancel() }
      database().add(operation)
      var records: [JSONText] = []
      var members: [(name: String, value: JSONText)] = []
      do {
        for try await event in events {
          switch event {
          case .record(let record): records.append(record)
          case .cursor(let cursor): members.append(("continuationMarker", cursor))
          }
        }
      } catch {
        throw Self.resourceError(error)
      }
      // A stream that ends because its task was cancelled has no error.
      guard !Task.isCancelled else {
        throw TransportError(.cancelled, "The CloudKit operation was cancelled.")
      }
      members.append(("records", .array(records)))
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"],
        body: JSONText.object(members).bytes, url: request.url)
    }

    private static func failure(of body: () throws -> Void) -> (any Error)? {
      do { try body() } catch { return error }
      return nil
    }
  }

  extension CloudKitOperationTransport {
    private static func cursor(of request: HTTPRequest) throws -> CKQueryOperation.Cursor? {
      guard let body = request.body,
        let marker = try JSONText(parsing: body)["continuationMarker"]?.string
      else { return nil }
      guard let data = Data(base64Encoded: marker),
        let cursor = try NSKeyedUnarchiver.unarchivedObject(
          ofClass: CKQueryOperation.Cursor.self, from: data)
      else {
        throw TransportError(.invalidRequest, "The stored cursor is none of CloudKit's.")
      }
      return cursor
    }

    private static func archive(_ object: some NSObject & NSSecureCoding) throws -> JSONText {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: object, requiringSecureCoding: true)
      return JSONText(string: data.base64EncodedString())
    }

    private static func json(
      of id: CKRecord.ID, _ result: Result<CKRecord, any Error>
    ) -> JSONText {
      let zone = CloudKitZone(name: id.zoneID.zoneName, ownerRecordName: id.zoneID.ownerName)
      var members = [
        (name: "recordName", value: JSONText(string: id.recordName)),
        (name: "zoneID", value: zone.json),
      ]
      do {
        members.append(("archive", try archive(try result.get())))
      } catch {
        let error = CloudKitError(error)
        members.append(("serverErrorCode", JSONText(string: error.code.description)))
        if let reason = error.reason { members.append(("reason", JSONText(string: reason))) }
        if let delay = error.retryAfter {
          members.append(("retryAfter", JSONText(finite: delay / .seconds(1))))
        }
      }
      return .object(members)
    }

    private static func resourceError(_ error: any Error) -> ResourceError {
      if let error = error as? CKError, error.code == .operationCancelled {
        return ResourceError(.cancelled, "The CloudKit operation was cancelled.")
      }
      let body = CloudKitError(error)
      let kind: ResourceError.Kind =
        switch (error as? CKError)?.code {
        case .requestRateLimited, .serviceUnavailable, .zoneBusy: .rateLimited
        case .networkUnavailable: .unreachable
        case .networkFailure: .connectionLost
        case .notAuthenticated: .authorization
        default: .badResponse
        }
      return ResourceError(
        kind, "CloudKit responded with the error \(body.code).", retryAfter: body.retryAfter,
        decodedBody: body, underlying: error)
    }
  }

  extension CloudKitError {
    /// Creates the error of the web services that corresponds to one of CloudKit's framework.
    fileprivate init(_ error: any Error) {
      guard let error = error as? CKError else {
        self.init(code: .other(Redaction.nature(of: error)))
        return
      }
      let code: Code =
        switch error.code {
        case .requestRateLimited: .throttled
        case .serviceUnavailable, .zoneBusy: .tryAgainLater
        case .unknownItem: .notFound
        case .permissionFailure: .accessDenied
        case .notAuthenticated: .authenticationRequired
        case .zoneNotFound: .zoneNotFound
        case .invalidArguments: .badRequest
        case .quotaExceeded: .quotaExceeded
        default: .other("CKError \(error.code.rawValue)")
        }
      self.init(
        code: code, reason: error.localizedDescription,
        retryAfter: error.retryAfterSeconds.flatMap(Self.delay))
    }
  }

  extension Service {
    /// Returns a list of the records that this service's ``CloudKitOperationTransport`` finds.
    ///
    /// - Parameter read: makes an item from a record. It runs off the store's actor; an error it
    ///   throws fails the load of that page.
    public func records<Item: Sendable>(
      options: PagedCollection<CloudKitItem<Item>>.Options = .init(),
      read: @escaping @Sendable (CKRecord) throws -> Item
    ) -> PagedCollection<CloudKitItem<Item>> {
      PagedCollection(firstPage: recordPage(read: read), options: options)
    }

    /// Returns the first page of those records, for a `PageQuery` and to continue at a stored cursor.
    public func recordPage<Item: Sendable>(
      read: @escaping @Sendable (CKRecord) throws -> Item
    ) -> Resource<Page<CloudKitItem<Item>>> {
      resource(
        .post, "records/query", body: .object([]),
        decoder: .cloudKit { json, _ in
          guard let data = json["archive"]?.string.flatMap({ Data(base64Encoded: $0) }),
            let record = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data)
          else {
            throw DecodingError.dataCorrupted(
              .init(codingPath: [], debugDescription: "this is no archive of a record"))
          }
          return try read(record)
        })
    }
  }
#endif
