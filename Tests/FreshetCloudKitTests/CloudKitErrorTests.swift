import Foundation
import Freshet
import FreshetCloudKit
import FreshetTesting
import Testing

@Suite("Errors of CloudKit Web Services", .standardTimeLimit)
struct CloudKitErrorTests {
  @Test("A record that failed stays in the list, at its place", arguments: StoreActor.allCases)
  func recordErrors(actor: StoreActor) async throws {
    try await actor.run { actor in
      let server = CloudKitServer(count: 4)
      server.change {
        $0.records[1] = """
          {"recordName": "n1", "reason": "gone", "serverErrorCode": "NOT_FOUND", "uuid": "u",
           "zoneID": {"zoneName": "z", "ownerRecordName": "_o"}}
          """
        $0.records[2] = #"{"serverErrorCode": "SHINY_NEW", "retryAfter": 2.5}"#
      }
      let notes = await CloudKitFixture(server).notes()
      #expect(notes.items.map(\.recordName) == ["n0", "n1", nil, "n3"])
      #expect(notes.items.map { $0.record != nil } == [true, false, false, true])
      let gone = try #require(notes.items[1].error)
      #expect(gone.code == .notFound && gone.reason == "gone" && gone.uuid == "u")
      #expect(gone.zone == CloudKitZone(name: "z", ownerRecordName: "_o") && !gone.isTransient)
      #expect(gone.description == "NOT_FOUND: gone (record n1)")
      let new = try #require(notes.items[2].error)
      #expect(new.code == .other("SHINY_NEW") && new.retryAfter == .seconds(2.5))
      #expect(new.isTransient && new.description == "SHINY_NEW")
      #expect(notes.state.description == "ended")
    }
  }

  @Test(
    "A request that is throttled can be retried at the time in the body",
    arguments: StoreActor.allCases)
  func throttled(actor: StoreActor) async throws {
    await actor.run { actor in
      for (status, code) in [(429, "THROTTLED"), (503, "TRY_AGAIN_LATER")] {
        let fixture = CloudKitFixture(CloudKitServer(count: 3))
        fixture.server.change {
          $0.errors = [
            (status, #"{"uuid": "u", "serverErrorCode": "\#(code)", "retryAfter": 12}"#)
          ]
        }
        let notes = await fixture.notes()
        guard case .failed(let error, page: 0) = notes.state else {
          Issue.record("\(notes.state)")
          return
        }
        #expect(error.kind == .rateLimited && error.isTransient)
        #expect(error.retryAfter == .seconds(12) && error.status == status)
        #expect((error.decodedBody as? CloudKitError)?.code.description == code)
        fixture.clock.advance(by: .seconds(11))
        notes.loadIfNeeded()
        #expect(!notes.state.isLoading, "not before that time")
        fixture.clock.advance(by: .seconds(1))
        notes.loadAll()
        await notes.settled()
        #expect(notes.items.count == 3)
      }
    }
  }

  @Test("A marker that has expired begins the list again, once", arguments: StoreActor.allCases)
  func expiredMarker(actor: StoreActor) async throws {
    await actor.run { actor in
      let expired = (status: 400, body: #"{"serverErrorCode": "BAD_REQUEST"}"#)
      let fixture = CloudKitFixture(CloudKitServer(count: 5))
      var options = PagedCollection<CloudKitItem<CloudKitRecord>>.Options()
      options.identity = ItemIdentity { $0.recordName }
      let query = CloudKitQuery(recordType: "Note", resultsLimit: 2)
      let notes = fixture.service.records(query, in: fixture.database, options: options)
      notes.loadIfNeeded()
      await notes.settled()
      fixture.server.change { $0.errors = [expired] }
      notes.loadAll()
      await notes.settled()
      #expect(notes.items.map(\.recordName) == ["n0", "n1", "n2", "n3", "n4"])
      #expect(notes.state.description == "ended")
    }
  }

  @Test(
    "Every code is typed, and only those of a moment are transient", arguments: StoreActor.allCases)
  func codes(actor: StoreActor) async throws {
    try await actor.run { actor in
      let codes: [(Int, String, CloudKitError.Code)] = [
        (403, "ACCESS_DENIED", .accessDenied), (400, "ATOMIC_ERROR", .atomicError),
        (401, "AUTHENTICATION_FAILED", .authenticationFailed),
        (421, "AUTHENTICATION_REQUIRED", .authenticationRequired),
        (400, "BAD_REQUEST", .badRequest), (409, "CONFLICT", .conflict), (409, "EXISTS", .exists),
        (500, "INTERNAL_ERROR", .internalError), (404, "NOT_FOUND", .notFound),
        (413, "QUOTA_EXCEEDED", .quotaExceeded), (429, "THROTTLED", .throttled),
        (503, "TRY_AGAIN_LATER", .tryAgainLater),
        (412, "VALIDATING_REFERENCE_ERROR", .validatingReferenceError),
        (404, "ZONE_NOT_FOUND", .zoneNotFound), (418, "ELSE", .other("ELSE")),
      ]
      for (status, name, code) in codes {
        let fixture = CloudKitFixture(CloudKitServer(count: 1))
        fixture.server.change { $0.errors = [(status, #"{"serverErrorCode": "\#(name)"}"#)] }
        let page = fixture.service.recordPage(
          CloudKitQuery(recordType: "Note"), in: fixture.database)
        let error = try #require(await page.load().failure())
        let body = try #require(error.decodedBody as? CloudKitError)
        #expect(body.code == code && "\(code)" == name && error.status == status)
        let isTransient = [.internalError, .throttled, .tryAgainLater].contains(code)
        #expect(error.isTransient == isTransient && body.isTransient == isTransient)
      }
    }
  }

  @Test("An error with a status of success is no empty list", arguments: StoreActor.allCases)
  func errorInsideSuccess(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = CloudKitFixture(CloudKitServer(count: 1))
      let page = fixture.service.recordPage(CloudKitQuery(recordType: "Note"), in: fixture.database)
      fixture.server.change {
        $0.errors = [
          (200, #"{"serverErrorCode": "TRY_AGAIN_LATER", "retryAfter": "3"}"#),
          (200, #"{"serverErrorCode": "BAD_REQUEST"}"#),
        ]
      }
      let later = try #require(await page.load().failure())
      #expect(later.kind == .rateLimited && later.retryAfter == .seconds(3))
      let bad = try #require(await page.load().failure())
      #expect(bad.kind == .http && (bad.decodedBody as? CloudKitError)?.code == .badRequest)
    }
  }

  @Test("Odd responses are errors, never an end", arguments: StoreActor.allCases)
  func oddResponses(actor: StoreActor) async throws {
    try await actor.run { actor in
      let responses: [(Int, String)] = [
        (200, "{}"), (200, ""), (200, "[]"), (200, #"{"records": 5}"#),
        (200, #"{"records": [{"fields": {}}]}"#), (200, #"{"records": [7]}"#),
        (500, "<html>"), (503, ""), (400, "{}"),
        (429, #"{"serverErrorCode": "THROTTLED", "retryAfter": -5}"#),
        (429, #"{"serverErrorCode": "THROTTLED", "retryAfter": 1e300}"#),
      ]
      for (status, body) in responses {
        let fixture = CloudKitFixture(CloudKitServer(count: 1))
        fixture.server.change { $0.errors = [(status, body)] }
        let page = fixture.service.recordPage(
          CloudKitQuery(recordType: "Note"), in: fixture.database)
        let error = try #require(await page.load().failure(), "\(status) \(body)")
        #expect(error.kind != .cancelled && page.content == nil)
      }
    }
  }

  @Test("Tokens are sent encoded, and show nowhere", arguments: StoreActor.allCases)
  func secrecy(actor: StoreActor) async throws {
    try await actor.run { actor in
      let log = Locked<[String]>([])
      let cache = MemoryCache()
      let fixture = CloudKitFixture(CloudKitServer(count: 1)) {
        $0.authorizer = CloudKitCredentials(
          apiToken: "api token/+=", webAuthToken: "s3cret+/==")
        $0.userIdentifier = "user"
        $0.log = { entry in log.withLock { $0.append("\(entry)") } }
        $0.cache = cache
      }
      fixture.server.change { $0.errors = [(500, "{}")] }
      let page = fixture.service.recordPage(CloudKitQuery(recordType: "Note"), in: fixture.database)
      let error = try #require(await page.load().failure())
      await page.load().completed()
      let query = fixture.server.seen.last?.url.query(percentEncoded: true)
      #expect(query == "ckAPIToken=api%20token%2F%2B%3D&ckWebAuthToken=s3cret%2B%2F%3D%3D")
      var texts = log.withLock { $0 }
      texts += ["\(error)", "\(page)", "\(page.key)", page.key.url, error.userMessage]
      texts.append(page.latestData?.url?.absoluteString ?? "")
      await cache.writes(atLeast: 1)
      texts.append(try #require(await cache.peek(page.key)).response.url.absoluteString)
      let credentials = CloudKitCredentials(apiToken: "api token/+=", webAuthToken: "s3cret+/==")
      texts += ["\(credentials)", String(reflecting: credentials)]
      var dumped = ""
      dump(credentials, to: &dumped)
      texts.append(dumped)
      #expect(page.content?.items.count == 1)
      for text in texts {
        #expect(
          !text.contains("s3cret") && !text.contains("api%20token") && !text.contains("api token"))
      }
    }
  }

  @Test(
    "A token for every request is fetched for each, and once more after a 401",
    arguments: StoreActor.allCases)
  func tokens(actor: StoreActor) async throws {
    await actor.run { actor in
      let count = Locked(0)
      let fixture = CloudKitFixture(CloudKitServer(count: 3)) {
        $0.authorizer = CloudKitCredentials(apiToken: "api token/+=") {
          "t\(count.withLock { count in count += 1; return count })"
        }
      }
      fixture.server.change {
        $0.errors = [(401, #"{"serverErrorCode": "AUTHENTICATION_FAILED"}"#)]
      }
      let notes = await fixture.notes()
      #expect(notes.items.count == 3)
      let sent = fixture.server.seen.map {
        $0.url.query?.split(separator: "=").last.map(String.init)
      }
      #expect(sent == ["t1", "t2", "t3"])
    }
  }
}
