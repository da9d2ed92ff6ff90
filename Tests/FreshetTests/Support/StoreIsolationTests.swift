import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Tasks that work off a store's actor", .standardTimeLimit)
struct StoreIsolationTests {
  @TaskLocal static var label = "none"

  /// What a job saw off the actor.
  private struct Visit: Sendable {
    let task: Int
    let isCancelled: Bool
    let label: String

    static var current: Visit {
      withUnsafeCurrentTask {
        Visit(task: $0.hashValue, isCancelled: Task.isCancelled, label: StoreIsolationTests.label)
      }
    }
  }

  /// Launches work that records where it runs.
  private final class Launcher {
    private let isolation: StoreIsolation
    private let (steps, step) = AsyncStream<Void>.makeStream()
    private(set) var visits: [Visit] = []
    private(set) var starts = 0

    init(isolation: isolated any Actor = #isolation) {
      self.isolation = StoreIsolation(isolation: isolation)
    }

    @discardableResult
    func launch(then next: @escaping () -> Void = {}) -> Task<Void, Never>? {
      isolation.launch(start: { self.starts += 1 }) {
        Visit.current
      } completion: { visit in
        self.visits.append(visit)
        next()
        self.step.yield()
      }
    }

    func launchChain(_ count: Int) {
      launch { if count > 1 { self.launchChain(count - 1) } }
    }

    /// Returns once that many jobs have come back.
    func returns(_ count: Int, isolation: isolated any Actor = #isolation) async {
      for await _ in steps where visits.count >= count { return }
    }
  }

  @Test("Work that is launched while a result is received continues in that task")
  func oneTask() async {
    await StoreActor.plainActor.run { actor in
      let launcher = Launcher(isolation: actor)
      Self.$label.withValue("first") { launcher.launchChain(5) }
      await launcher.returns(5, isolation: actor)
      #expect(Set(launcher.visits.map(\.task)).count == 1)
      #expect(Set(launcher.visits.map(\.label)) == ["first"])
      #expect(launcher.starts == 5)
    }
  }

  @Test("All pages of a walk are loaded in one task", arguments: StoreActor.allCases)
  func walk(actor: StoreActor) async {
    await actor.run { actor in
      let tasks = Locked<[Int]>([])
      let stub = StubTransport { request in
        tasks.withLock { $0.append(Visit.current.task) }
        let page = request.url.query()?.split(separator: "=").last.flatMap { Int($0) } ?? 1
        return HTTPResponse(
          status: 200, headers: page < 5 ? ["Link": "<?page=\(page + 1)>; rel=next"] : [:],
          body: Data("[\(page)]".utf8), url: request.url)
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let list = service.pages("items", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3, 4, 5])
      let used = tasks.withLock(\.self)
      #expect(used.count == 5 && Set(used).count == 1)
    }
  }

  @Test("One task does one job at a time")
  func twoTasks() async {
    await StoreActor.plainActor.run { actor in
      let launcher = Launcher(isolation: actor)
      var tasks: [Task<Void, Never>?] = []
      let first = launcher.launch {
        tasks = [launcher.launch(), launcher.launch(), launcher.launch()]
      }
      await launcher.returns(4, isolation: actor)
      #expect(tasks[0] == first)
      #expect(Set(tasks).count == 3)
      #expect(launcher.starts == 4)
    }
  }

  @Test("A task that was cancelled does no other work")
  func cancelledTask() async {
    await StoreActor.plainActor.run { actor in
      let launcher = Launcher(isolation: actor)
      launcher.launch {
        launcher.launch { launcher.launch() }?.cancel()
      }
      await launcher.returns(3, isolation: actor)
      #expect(launcher.visits.map(\.isCancelled) == [false, true, false])
    }
  }

  @Test("What the jobs of a task have captured goes with each of them")
  func captures() async {
    await StoreActor.plainActor.run { actor in
      final class Captured {}
      let launcher = Launcher(isolation: actor)
      weak var first: Captured?
      var isReleased: Bool?
      do {
        let captured = Captured()
        first = captured
        launcher.launch {
          withExtendedLifetime(captured) {}
          launcher.launch { isReleased = first == nil }
        }
      }
      await launcher.returns(2, isolation: actor)
      #expect(isReleased == true)
    }
  }
}
