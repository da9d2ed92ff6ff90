// swift-format-ignore-file
// The declarations of CloudKit that FreshetCloudKit and its documentation use. No body does anything.

@_exported import Foundation

public final class CKContainer: Sendable {
  public class func `default`() -> CKContainer { CKContainer() }
  public var privateCloudDatabase: CKDatabase { CKDatabase() }
}

public final class CKDatabase: Sendable {
  public func add(_ operation: CKDatabaseOperation) {}
}

open class CKDatabaseOperation: Operation, @unchecked Sendable {}

public final class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
  public final class Cursor: NSObject, NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }
    public init?(coder: NSCoder) { nil }
    public func encode(with coder: NSCoder) {}
  }

  public var resultsLimit = 0
  public var recordMatchedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
  public var queryResultBlock: ((Result<Cursor?, any Error>) -> Void)?
  public init(query: CKQuery) {}
  public init(cursor: Cursor) {}
}

public final class CKQuery: NSObject {
  public init(recordType: String, predicate: NSPredicate) {}
}

public final class CKRecordZone: NSObject {
  public final class ID: NSObject {
    public var zoneName: String { "" }
    public var ownerName: String { "" }
  }
}

public final class CKRecord: NSObject, NSSecureCoding {
  public final class ID: NSObject {
    public var recordName: String { "" }
    public var zoneID: CKRecordZone.ID { CKRecordZone.ID() }
  }

  public static var supportsSecureCoding: Bool { true }
  public init?(coder: NSCoder) { nil }
  public func encode(with coder: NSCoder) {}
  public var recordID: ID { ID() }
}

public struct CKError: Error {
  public enum Code: Int, Sendable {
    case networkUnavailable, networkFailure, serviceUnavailable, requestRateLimited, zoneBusy
    case notAuthenticated, permissionFailure, unknownItem, zoneNotFound, invalidArguments
    case quotaExceeded, operationCancelled
    // Apple's has more.
    case other
  }

  public let code: Code
  public let retryAfterSeconds: Double?
}
