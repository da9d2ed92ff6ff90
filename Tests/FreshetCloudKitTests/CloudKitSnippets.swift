import Freshet
import FreshetCloudKit
#if canImport(CloudKit)
  import CloudKit
#endif

/// Compiled, never called: the server is CloudKit.
@MainActor
func databaseOfTheExample(token: String) -> (Service, CloudKitDatabase) {
  // snippet
  let service = Service(baseURL: CloudKitDatabase.baseURL)
  service.configure { $0.authorizer = CloudKitCredentials(apiToken: token) }
  let database = CloudKitDatabase(container: "iCloud.com.example.notes", environment: .production)
  // end
  return (service, database)
}

func identityOfTheExample() -> PagedCollection<CloudKitItem<CloudKitRecord>>.Options {
  // snippet
  var options = PagedCollection<CloudKitItem<CloudKitRecord>>.Options()
  options.identity = ItemIdentity { $0.recordName }  // unique within a zone
  // end
  return options
}

func fieldsOfTheExample(_ record: CloudKitRecord) -> (title: String?, size: Int?) {
  // snippet
  let title = record["title"]?.string
  let size = record["size"]?.int
  // end
  return (title, size)
}

#if canImport(CloudKit)
  struct Note: Sendable {
    let title: String?

    init(_ record: CKRecord) { title = record.recordID.recordName }
  }

  /// Compiled, never called: the server is CloudKit.
  @MainActor
  func notesOfOperations() -> PagedCollection<CloudKitItem<Note>> {
    // snippet
    let transport = CloudKitOperationTransport {
      CKContainer.default().privateCloudDatabase
    } operation: { cursor in
      let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
      let operation = cursor.map { CKQueryOperation(cursor: $0) } ?? CKQueryOperation(query: query)
      operation.resultsLimit = 100
      return operation
    }
    let service = Service(baseURL: CloudKitOperationTransport.baseURL, transport: transport)
    let notes = service.records { Note($0) }
    // end
    return notes
  }
#endif
