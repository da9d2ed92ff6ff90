import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("A cache that hangs", .standardTimeLimit)
@MainActor
struct HangingCacheTests {
  /// A cache that stores nothing before it is released.
  private actor HangingCache: EntityCache {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isReleased = false

    func release() {
      isReleased = true
      for continuation in waiting { continuation.resume() }
      waiting = []
    }

    @concurrent
    func entry(for key: ResourceKey) async throws -> CachedEntry? { nil }

    @concurrent
    func store(_ entry: CachedEntry, for key: ResourceKey) async throws { await pass() }

    private func pass() async {
      guard !isReleased else { return }
      await withCheckedContinuation { waiting.append($0) }
    }

    @concurrent
    func remove(_ key: ResourceKey) async throws {}

    @concurrent
    func removeAll() async throws {}

    @concurrent
    func removeAll(where matches: @escaping @Sendable (String) -> Bool) async throws {}
  }

  /// Walks, and interrupts that once it waits for the cache; once more after it has said so.
  private static func walk(
    _ session: Session, _ cache: HangingCache, interrupts: Interrupts,
    interrupt: @escaping @MainActor () -> Void, again: @escaping @Sendable () async -> Void
  ) async throws -> pagewalk.ExitStatus {
    guard
      case .walk(let address, let options) = try Command(
        parsing: [address, "--cache", "/nowhere"])
    else { return .usageError }
    var steps = 0
    session.onError = {
      if steps == 0, session.errorText.contains("warning: the response is a bare array") {
        steps = 1
        // The walk does not suspend between this warning and the wait.
        Task { interrupt() }
      } else if steps == 1, session.errorText.contains("waiting for the cache") {
        steps = 2
        Task { await again() }
      }
    }
    let walk = Walk(
      address, options, console: session.console, interrupts: interrupts,
      transport: StubTransport(pages: ["[1, 2]"]), pageCache: cache)
    return await walk.run()
  }

  @Test("An interrupt says what is waited for")
  func interrupt() async throws {
    let (session, cache) = (Session(), HangingCache())
    let status = try await Self.walk(session, cache, interrupts: session.interrupts) {
      session.interrupts.interrupt()
    } again: {
      await cache.release()
    }
    #expect(status == .interrupted)
    #expect(session.lines == ["1", "2"])
  }

  @Test("A second interrupt ends the process at once, with the status of an interrupt")
  func secondInterrupt() async {
    await #expect(processExitsWith: .exitCode(130)) {
      _ = try await HangingCacheTests.walk(
        Session(), HangingCache(), interrupts: .ofProcess()
      ) {
        kill(getpid(), SIGINT)
      } again: {
        kill(getpid(), SIGINT)
      }
    }
  }
}
