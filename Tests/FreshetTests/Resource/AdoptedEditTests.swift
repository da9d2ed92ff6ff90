import FreshetTesting
import Testing

@testable import Freshet

@Suite("A response that is taken over contains the edits of its request", .standardTimeLimit)
struct AdoptedEditTests {
  /// A resource with the content "a", whose server adds a "+" at each PUT.
  private static func fixture(
    isolation: isolated any Actor = #isolation
  ) async throws -> (ServiceFixture, Resource<String>) {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/a", .text("a"))
    fixture.stub.on(.put, "/a", .text("a+", headers: ["ETag": "\"2\""]))
    let resource = fixture.text("a")
    _ = try await resource.load().value()
    return (fixture, resource)
  }

  @Test(
    "An edit that is committed in a hook of the request is not applied to its response",
    arguments: [true, false], StoreActor.allCases)
  func hook(isCommittedFirst: Bool, actor: StoreActor) async throws {
    try await actor.run { _ in
      let (_, resource) = try await Self.fixture()
      let update = resource.updateContent { $0 += "+" }
      var shown: [String?] = []
      let token = resource.observe { resource, _ in shown.append(resource.content) }
      let put = resource.request(.put)
      if !isCommittedFirst { resource.load(using: put) }
      put.onSuccess { _ in update?.commit() }
      if isCommittedFirst { resource.load(using: put) }
      await put.completed()
      #expect(shown.allSatisfy { $0 == "a+" })
      #expect(resource.content == "a+" && resource.state.edits == nil)
      #expect(resource.latestData?.etag == "\"2\"", "it is what the server sent")
      withExtendedLifetime(token) {}
    }
  }

  @Test(
    "So is it with the request of another service", arguments: [true, false], StoreActor.allCases)
  func otherService(isCommittedFirst: Bool, actor: StoreActor) async throws {
    try await actor.run { _ in
      let (_, resource) = try await Self.fixture()
      let other = ServiceFixture()
      other.stub.on(.put, "/a", .text("a+"))
      let update = resource.updateContent { $0 += "+" }
      let put = other.text("a").request(.put)
      if !isCommittedFirst { resource.load(using: put) }
      put.onSuccess { _ in
        update?.commit()
        resource.updateContent { $0 += "?" }?.commit()
      }
      if isCommittedFirst { resource.load(using: put) }
      await put.completed()
      #expect(resource.content == "a+?")
      withExtendedLifetime(other) {}
    }
  }

  @Test("So is it with a mutation, also of an edit that began later", arguments: [true, false])
  @MainActor func mutation(isLoadFirst: Bool) async throws {
    let (_, resource) = try await Self.fixture()
    let mutation = Mutation<String>()
    let put = resource.request(.put)
    if isLoadFirst { resource.load(using: put) }
    mutation.begin(put, edits: [resource.updateContent { $0 += "+" }])
    if !isLoadFirst { resource.load(using: put) }
    await put.completed()
    #expect(resource.content == "a+" && resource.state.edits == nil)
  }

  @Test("Edits of other requests, and those that begin in a hook, are applied")
  @MainActor func others() async throws {
    let (_, resource) = try await Self.fixture()
    let other = resource.updateContent { $0 += "!" }
    let put = resource.request(.put)
    resource.load(using: put)
    put.onSuccess { _ in resource.updateContent { $0 += "?" }?.commit() }
    await put.completed()
    #expect(resource.content == "a+!?")
    // Later, when no hooks are called.
    other?.commit()
    #expect(resource.content == "a+!?")
  }

  @Test("An edit of a request that fails is rolled back, and the content stays")
  @MainActor func failure() async throws {
    let (fixture, resource) = try await Self.fixture()
    fixture.stub.on(.put, "/a", .status(409))
    let put = resource.request(.put)
    resource.load(using: put)
    Mutation<String>().begin(put, edits: [resource.updateContent { $0 += "+" }])
    #expect(resource.content == "a+")
    await put.completed()
    #expect(resource.content == "a" && resource.latestError?.status == 409)
  }

  @Test(
    "The lists that show an item do not apply the edit once more either", arguments: [true, false])
  @MainActor func sharedEdit(isOfList: Bool) async throws {
    let fixture = ItemDetailsFixture()
    await fixture.loadAll()
    let row = fixture.details[4]
    row.load()
    await fixture.respond(to: "rows/4")
    let update =
      isOfList
      ? fixture.list.update(id: 4) { $0.value += 1 } : row.updateContent { $0.value += 1 }
    fixture.server.rows[3].value = 41
    let put = row.request(.put)
    row.load(using: put)
    put.onSuccess { _ in update?.commit() }
    await fixture.respond(to: "rows/4")
    #expect(row.content?.value == 41 && fixture.value(4) == 41)
  }
}
