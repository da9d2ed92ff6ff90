import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A persistent cache that cannot be used", .standardTimeLimit)
@MainActor struct DiskCacheFailureTests {
  private let folder = TemporaryFolder()

  @Test("is reported once, until it works again or fails for another reason")
  func reportedOnce() async throws {
    let (log, logged) = AsyncStream<String>.makeStream()
    let cache = DiskCache(directory: folder.url)
    let fixture = ServiceFixture {
      $0.cache = cache
      $0.log = { if $0.category == .cacheFailure { logged.yield($0.message) } }
    }
    for number in 0..<20 { fixture.stub.on(.get, "/\(number)", .text("\(number)")) }
    let file = URL(filePath: String(folder.path.dropLast()))
    /// Loads ten resources twice while the directory is a file.
    func loadWithout(_ numbers: Range<Int>) async throws {
      try Data().write(to: file)
      for number in numbers { await fixture.text("\(number)").load().completed() }
      for number in numbers { await fixture.text("\(number)").load().completed() }
      await fixture.service.flushCache()
      #expect(numbers.allSatisfy { fixture.text("\($0)").content == "\($0)" })
      try FileManager.default.removeItem(at: file)
    }
    try await loadWithout(0..<10)
    await fixture.text("0").load().completed()
    await fixture.service.flushCache()
    #expect(folder.names.count == 1)
    try FileManager.default.removeItem(at: folder.url)
    try await loadWithout(10..<20)
    logged.finish()
    var messages: [String] = []
    for await message in log { messages.append(message) }
    #expect(messages.count == 2, "\(messages)")
    #expect(messages.allSatisfy { $0.contains("choose a directory") })
  }

  @Test("is reported once for a full disk, whatever is removed meanwhile")
  func fullDisk() async throws {
    let cache = DiskCache(directory: folder.url) { $0 == .write ? ENOSPC : 0 }
    var repeated: [Bool] = []
    for number in 0..<3 {
      let error = await #expect(throws: DiskCacheError.self) {
        try await cache.store(.sample("x"), for: .sample("\(number)"))
      }
      repeated.append(error?.isRepeated == true)
      try await cache.remove(.sample("\(number)"))
      try await cache.removeAll()
    }
    #expect(repeated == [false, true, true])
  }

  @Test("is reported once for a read-only disk, and once for what stays there: to each service")
  func readOnlyDisk() async {
    let cache = DiskCache(directory: folder.url) { [.create, .remove].contains($0) ? EROFS : 0 }
    for stores in [false, true] {
      let (log, logged) = AsyncStream<String>.makeStream()
      let fixture = ServiceFixture {
        $0.cache = cache
        $0.log = { if $0.category == .cacheFailure { logged.yield($0.message) } }
      }
      for number in 0..<50 {
        let forbids = !stores || number.isMultiple(of: 2)
        fixture.stub.on(
          .get, "/\(number)", .text("", headers: forbids ? ["Cache-Control": "no-store"] : [:]))
        await fixture.text("\(number)").load().completed()
        await fixture.service.flushCache()
      }
      logged.finish()
      var messages: [String] = []
      for await message in log { messages.append(message) }
      #expect(messages.count == (stores ? 2 : 1), "\(messages)")
      #expect(messages.allSatisfy { $0.contains("choose a directory that can be written to") })
    }
  }

  @Test("throws errors that are equal whichever fault they are of")
  func equality() {
    let reason = DiskCacheError.Reason.system(operation: "write", code: ENOSPC)
    let errors = (0..<2).map { _ in
      var failures = DiskCacheFailures()
      return failures.noting(DiskCacheError(reason, "/a"), of: .writing)
    }
    #expect(errors[0] == errors[1] && Set(errors).count == 1)
    #expect(errors[0] != DiskCacheError(reason, "/b"))
  }

  @Test("says what to do about the limit of the size of files")
  func sizeLimit() {
    let error = DiskCacheError(.system(operation: "writing", code: EFBIG), "/a")
    #expect(error.description.hasSuffix("raise the limit of the size of files"))
  }

  @Test("says with each error whether it repeats the one before")
  func repeated() {
    var failures = DiskCacheFailures()
    func note(_ reason: DiskCacheError.Reason, _ kind: DiskCacheFailures.Kind) -> Bool {
      failures.noting(DiskCacheError(reason, "/a"), of: kind).isRepeated
    }
    let full = DiskCacheError.Reason.system(operation: "write", code: ENOSPC)
    let denied = DiskCacheError.Reason.system(operation: "write", code: EACCES)
    #expect(
      [full, full, denied, denied, full].map { note($0, .writing) } == [
        false, true, false, true, false,
      ])
    #expect(note(full, .reading))
    failures.succeeded(.writing)
    #expect(note(full, .writing))
    failures.succeeded(.writing)
    failures.succeeded(.reading)
    #expect(!note(full, .reading))
    // What concerns one entry is always reported.
    #expect((0..<3).map { _ in note(.busy, .writing) } == [false, false, false])
    // What is not removed is another matter than what is not stored.
    failures = DiskCacheFailures()
    #expect([full, full].map { note($0, .writing) } == [false, true])
    #expect([full, full].map { note($0, .removing) } == [false, true])
    failures.succeeded(.removing)
    #expect([DiskCacheFailures.Kind.writing, .removing].map { note(full, $0) } == [true, false])
  }
}
