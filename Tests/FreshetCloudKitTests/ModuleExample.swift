import Freshet
import FreshetCloudKit

/// The example of the module's documentation, in a file with the imports that it names. Compiled, never called:
/// the server is CloudKit.
@MainActor
func notesOfThePage(token: String) -> PagedCollection<CloudKitItem<CloudKitRecord>> {
  // snippet
  let service = Service(baseURL: CloudKitDatabase.baseURL)
  service.configure { $0.authorizer = CloudKitCredentials(apiToken: token) }
  let database = CloudKitDatabase(
    container: "iCloud.com.example.notes", environment: .production)
  let notes = service.records(CloudKitQuery(recordType: "Note", resultsLimit: 100), in: database)
  notes.loadIfNeeded()
  // end
  return notes
}

@MainActor
func distinctNotesOfThePage(
  _ query: CloudKitQuery, in database: CloudKitDatabase, of service: Service
) -> PagedCollection<CloudKitItem<CloudKitRecord>> {
  // snippet
  var options = PagedCollection<CloudKitItem<CloudKitRecord>>.Options()
  options.identity = ItemIdentity { $0.recordName }  // unique within a zone
  let notes = service.records(query, in: database, options: options)
  // end
  return notes
}

/// The example with every argument.
func notesOfTheExample(
  transport: any Transport, clock: any StoreClock, token: String,
  isolation: isolated any Actor = #isolation
) -> PagedCollection<CloudKitItem<CloudKitRecord>> {
  let service = Service(
    baseURL: CloudKitDatabase.baseURL, transport: transport, clock: clock, isolation: #isolation)
  // snippet
  service.configure { $0.authorizer = CloudKitCredentials(apiToken: token) }
  // end
  let database = CloudKitDatabase(
    container: "iCloud.com.example.notes", environment: .production, scope: .private)
  // snippet
  let query = CloudKitQuery(
    recordType: "Note",
    filters: [CloudKitFilter("archived", .equals, .int(0))],
    sort: [CloudKitSort("changed", ascending: false)],
    resultsLimit: 100)
  let notes = service.records(query, in: database)
  notes.loadIfNeeded()
  // end
  return notes
}
