import Foundation
import Freshet
import FreshetCloudKit
import FreshetTesting
import Testing

/// A store over a scripted CloudKit.
struct CloudKitFixture {
  let server: CloudKitServer
  let clock = ManualClock()
  let service: Service
  let database = CloudKitDatabase(
    container: "iCloud.com.example.notes", environment: .production, scope: .private)

  init(
    _ server: CloudKitServer, isolation: isolated any Actor = #isolation,
    token: String = "api token/+=",
    configure: @escaping (inout Service.Configuration) -> Void = { _ in }
  ) {
    self.server = server
    service = Service(
      baseURL: CloudKitDatabase.baseURL, transport: server.transport, clock: clock,
      isolation: #isolation)
    service.configure { $0.authorizer = CloudKitCredentials(apiToken: token) }
    service.configure(nil, configure)
  }

  /// The notes, loaded as far as they come.
  nonisolated(nonsending) func notes(
    _ query: CloudKitQuery = CloudKitQuery(recordType: "Note", resultsLimit: 2)
  ) async -> PagedCollection<CloudKitItem<CloudKitRecord>> {
    let notes = service.records(query, in: database)
    notes.loadAll()
    await notes.settled()
    return notes
  }
}

extension Request {
  /// Waits for the end and returns the error, or nil after a success.
  func failure() async -> ResourceError? {
    await completed()
    guard case .failure(let error)? = result else { return nil }
    return error
  }
}

@Suite("Queries of CloudKit Web Services", .standardTimeLimit)
struct CloudKitQueryTests {
  @Test("The example of the module loads records", arguments: StoreActor.allCases)
  func example(actor: StoreActor) async {
    await actor.run { actor in
      let server = CloudKitServer(count: 3)
      let notes = notesOfTheExample(
        transport: server.transport, clock: ManualClock(), token: "api token/+=")
      await notes.settled()
      #expect(notes.items.map { $0.record?["title"]?.string } == ["No. 0", "No. 1", "No. 2"])
    }
  }

  @Test("A record has fields, and a name that is its identity", arguments: StoreActor.allCases)
  func fields(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = CloudKitFixture(CloudKitServer(count: 3))
      let query = CloudKitQuery(recordType: "Note", resultsLimit: 2)
      let notes = fixture.service.records(
        query, in: fixture.database, options: identityOfTheExample())
      notes.loadAll()
      await notes.settled()
      #expect(notes.items.map(\.recordName) == ["n0", "n1", "n2"])
      let fields = fieldsOfTheExample(try #require(notes.items[1].record))
      #expect(fields.title == "No. 1" && fields.size == 9_007_199_254_740_994)
    }
  }

  @Test("The same query is sent again with every marker", arguments: StoreActor.allCases)
  func pages(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = CloudKitFixture(CloudKitServer(count: 5))
      let notes = await fixture.notes()
      #expect(notes.items.map { $0.record?["title"]?.string } == (0..<5).map { "No. \($0)" })
      #expect(notes.items[4].record?["size"]?.int == 9_007_199_254_740_997)
      #expect(notes.items[0].record?.created == ManualClock.startDate)
      #expect(notes.items[1].record?.changeTag == "t1" && notes.items[1].recordName == "n1")
      #expect(notes.state.description == "ended")
      let bodies = try fixture.server.seen.map { try JSONText(parsing: $0.body ?? Data()) }
      #expect(bodies.map { $0["continuationMarker"] != nil } == [false, true, true])
      #expect(Set(bodies.map { $0["query"] }).count == 1)
      #expect(fixture.server.seen.allSatisfy { $0.headers["Content-Type"] == "application/json" })
    }
  }

  @Test("A marker that is null ends the list too", arguments: StoreActor.allCases)
  func nullMarker(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = CloudKitServer(count: 3)
      server.change { $0.endsWithNull = true }
      let notes = await CloudKitFixture(server).notes()
      #expect(notes.items.count == 3 && notes.state.description == "ended")
    }
  }

  @Test("Nothing that was found is an empty list", arguments: StoreActor.allCases)
  func nothing(actor: StoreActor) async throws {
    await actor.run { actor in
      let notes = await CloudKitFixture(CloudKitServer(count: 0)).notes()
      #expect(notes.items.isEmpty && notes.state.description == "ended")
    }
  }

  @Test("A date that no number of milliseconds can be is the latest or earliest one")
  func distantDate() {
    for (seconds, number) in [(1e18, Int.max), (-1e18, .min), (1.2346, 1235)] {
      let filter = CloudKitFilter(
        "changed", .lessThan, .date(Date(timeIntervalSince1970: seconds)))
      let query = CloudKitQuery(recordType: "Note", filters: [filter])
      #expect(query.body.description.contains(#""value":\#(number)"#))
    }
  }

  @Test("A query sends all of its properties", arguments: [true, false])
  func body(isFull: Bool) throws {
    var query = CloudKitQuery(recordType: "Note")
    #expect(query.body.description == #"{"query":{"recordType":"Note"}}"#)
    guard isFull else { return }
    query = CloudKitQuery(
      recordType: "Note",
      filters: [
        CloudKitFilter("title", .beginsWith, .string("a\"b")),
        CloudKitFilter("size", .isIn, .list([.int(1), .int(.max)])),
        CloudKitFilter("at", .near, .location(.init(latitude: 1.5, longitude: -2)), distance: 10),
        CloudKitFilter("changed", .greaterThan, .date(ManualClock.startDate)),
        CloudKitFilter("bytes", .equals, .bytes(Data([0, 255]))),
        CloudKitFilter("ratio", .lessThan, .double(1e-7)),
        CloudKitFilter(
          "parent", .equals, .reference(recordName: "p", zone: CloudKitZone(name: "z"))),
        CloudKitFilter("tags", .isNotIn, .list([])),
      ],
      sort: [
        CloudKitSort("changed", ascending: false),
        CloudKitSort("at", relativeTo: .init(latitude: 0, longitude: 0)),
      ],
      desiredKeys: ["title"], zone: CloudKitZone(name: "z", ownerRecordName: "_o"),
      isZoneWide: true, resultsLimit: 200)
    let expected = try JSONText(
      parsing: #"""
        {"query": {"recordType": "Note", "filterBy": [
          {"comparator": "BEGINS_WITH", "fieldName": "title",
           "fieldValue": {"value": "a\"b", "type": "STRING"}},
          {"comparator": "IN", "fieldName": "size",
           "fieldValue": {"value": [1, 9223372036854775807], "type": "INT64_LIST"}},
          {"comparator": "NEAR", "fieldName": "at",
           "fieldValue": {"value": {"latitude": 1.5, "longitude": -2.0}, "type": "LOCATION"},
           "distance": 10.0},
          {"comparator": "GREATER_THAN", "fieldName": "changed",
           "fieldValue": {"value": 1767225600000, "type": "TIMESTAMP"}},
          {"comparator": "EQUALS", "fieldName": "bytes",
           "fieldValue": {"value": "AP8=", "type": "BYTES"}},
          {"comparator": "LESS_THAN", "fieldName": "ratio",
           "fieldValue": {"value": 1e-07, "type": "DOUBLE"}},
          {"comparator": "EQUALS", "fieldName": "parent",
           "fieldValue": {"value": {"recordName": "p", "zoneID": {"zoneName": "z"},
                                    "action": "NONE"}, "type": "REFERENCE"}},
          {"comparator": "NOT_IN", "fieldName": "tags", "fieldValue": {"value": []}}],
         "sortBy": [{"fieldName": "changed", "ascending": false},
                    {"fieldName": "at", "ascending": true,
                     "relativeLocation": {"latitude": 0.0, "longitude": 0.0}}]},
         "resultsLimit": 200, "desiredKeys": ["title"],
         "zoneID": {"zoneName": "z", "ownerRecordName": "_o"}, "zoneWide": true}
        """#)
    #expect(query.body == expected.compact)
  }

  @Test("A page of more than 200 records, or of none, stops the program", arguments: [0, 201])
  func limit(count: Int) async {
    switch count {
    case 0:
      await #expect(processExitsWith: .failure) {
        _ = CloudKitQuery(recordType: "Note", resultsLimit: 0)
      }
    default:
      await #expect(processExitsWith: .failure) {
        _ = CloudKitQuery(recordType: "Note", resultsLimit: 201)
      }
    }
  }

  @Test("Records are decoded to a type of one's own", arguments: StoreActor.allCases)
  func decoded(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = CloudKitFixture(CloudKitServer(count: 3))
      let query = CloudKitQuery(recordType: "Note", resultsLimit: 2)
      let notes = fixture.service.records(query, in: fixture.database, as: Note.self)
      notes.loadAll()
      await notes.settled()
      #expect(notes.items.map { $0.record?.fields.title.value } == ["No. 0", "No. 1", "No. 2"])
    }
  }

  @Test(
    "Records that are equal to those they replace are no change", arguments: StoreActor.allCases)
  func equalRecords(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = CloudKitFixture(CloudKitServer(count: 3))
      let notes = fixture.service.records(
        CloudKitQuery(recordType: "Note"), in: fixture.database, as: Note.self)
      notes.loadAll()
      await notes.settled()
      let recorder = PagedCollectionRecorder<CloudKitItem<Note>>()
      notes.addObserver(recorder)
      await notes.refreshAndWait()
      #expect(notes.items.count == 3 && recorder.changes.isEmpty)
    }
  }

  private struct Note: Decodable, Equatable {
    struct Text: Decodable, Equatable { var value: String }
    struct Fields: Decodable, Equatable { var title: Text }
    var recordName: String
    var fields: Fields
  }

  @Test(
    "A stored marker continues in another store, and with another query is refused",
    arguments: StoreActor.allCases)
  func storedMarker(actor: StoreActor) async throws {
    try await actor.run { actor in
      let query = CloudKitQuery(recordType: "Note", resultsLimit: 2)
      let fixture = CloudKitFixture(CloudKitServer(count: 5))
      var stored = Data()
      var names: [String?] = []
      let first = PageQuery(firstPage: fixture.service.recordPage(query, in: fixture.database))
      first.pageBudget = 1
      first.itemReceived = { names.append($0.recordName) }
      let (ends, end) = AsyncStream<Never>.makeStream()
      first.pageCompleted = { result in
        if case .success(.next(let link)) = result {
          stored = (try? JSONEncoder().encode(link)) ?? Data()
        }
        end.finish()
      }
      first.start()
      for await _ in ends {}
      #expect(names == ["n0", "n1"])
      let cursor = try JSONDecoder().decode(PageLink.self, from: stored)
      let later = CloudKitFixture(CloudKitServer(count: 5))
      let rest = PagedCollection(
        firstPage: try later.service.recordPage(query, in: later.database).following(cursor))
      rest.loadAll()
      await rest.settled()
      #expect(rest.items.map(\.recordName) == ["n2", "n3", "n4"])
      let other = CloudKitQuery(
        recordType: "Note", filters: [CloudKitFilter("size", .equals, .int(1))])
      let refused = try later.service.recordPage(other, in: later.database).following(cursor)
      let error = try #require(await refused.load().failure())
      #expect((error.decodedBody as? CloudKitError)?.code == .badRequest)
      #expect(error.status == 400 && !error.isTransient)
    }
  }
}
