import FreshetCloudKit

/// The example of the module's documentation, in a file that imports nothing else.
func notesOfTheExample(
  transport: any Transport, token: String, isolation: isolated any Actor = #isolation
) -> PagedCollection<CloudKitItem<CloudKitRecord>> {
  let service = Service(
    baseURL: CloudKitDatabase.baseURL, transport: transport, isolation: #isolation)
  service.configure { $0.authorizer = CloudKitCredentials(apiToken: token) }
  let database = CloudKitDatabase(
    container: "iCloud.com.example.notes", environment: .production, scope: .private)
  let query = CloudKitQuery(
    recordType: "Note",
    filters: [CloudKitFilter("archived", .equals, .int(0))],
    sort: [CloudKitSort("changed", ascending: false)],
    resultsLimit: 100)
  let notes = service.records(query, in: database)
  notes.loadIfNeeded()
  return notes
}
