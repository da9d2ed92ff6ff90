import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Pages in a cache", .standardTimeLimit)
@MainActor
struct CacheTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "pagewalk-\(UUID())")
  private var path: String { folder.path(percentEncoded: false) }

  /// Serves three pages with entity tags; what it knows it confirms.
  private func server(_ pages: [String]) -> StubTransport {
    let stub = StubTransport()
    for (index, page) in pages.enumerated() {
      stub.on(.get, index == 0 ? "/items" : "/items?page=\(index + 1)") { request in
        let tag = "\"\(page.hashValue)\""
        let next = index + 1 < pages.count ? "</items?page=\(index + 2)>; rel=next" : "<>"
        if request.headers["If-None-Match"] == tag {
          return .status(304, headers: ["ETag": tag, "Link": next])
        }
        return .json(page, headers: ["ETag": tag, "Link": next])
      }
    }
    return stub
  }

  @Test("A later run shows the pages first, and each costs a 304")
  func laterRun() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pages = ["[1, 2]", "[3]", "[4]"]
    let first = Session()
    _ = await first.run(address, "--cache", path, "--summary", transport: server(pages))
    #expect(first.lines == ["1", "2", "3", "4"])
    #expect(first.summary?["notModified"]?.int == 0)

    let second = Session()
    let status = await second.run(
      address, "--cache", path, "--summary", "--events", transport: server(pages))
    #expect(status == .complete)
    #expect(second.lines == first.lines)
    #expect(second.summary?["requests"]?.int == 3)
    #expect(second.summary?["notModified"]?.int == 3)
    #expect(second.summary?["pages"]?.int == 3)
    #expect(second.errorText.contains("3 pages from the cache, 4 items"))
    // All are shown before the server has confirmed any.
    let kinds = second.errorLines.compactMap { line in
      ["newData(cache)", "notModified"].first { line.contains($0) }
    }
    #expect(Set(kinds.prefix(3)).count == 1 && kinds.count >= 6, "\(second.errorText)")
  }

  @Test("The files have room for a list of 10 GB")
  func size() {
    #expect(PageCache.files(in: path).maximumByteCount == 10_000_000_000)
  }

  @Test(
    "A page of the cache that joins the list while it is revalidated is revalidated too",
    arguments: ["1", "3"])
  func regrown(concurrency: String) async {
    defer { try? FileManager.default.removeItem(at: folder) }
    for pages in [["[1]", "[2]", "[3]", "[4]"], ["[1]", "[2]"], ["[5]", "[6]", "[7]", "[8]"]] {
      let session = Session()
      let status = await session.run(
        address, "--cache", path, "--concurrency", concurrency, transport: server(pages))
      #expect(status == .complete)
      #expect(session.lines == pages.map { String($0.dropFirst().dropLast()) })
    }
  }

  @Test(
    "An empty page of the cache does not end a list that has grown", arguments: ["1", "3", "8"])
  func grown(concurrency: String) async {
    defer { try? FileManager.default.removeItem(at: folder) }
    for count in [4, 8, 6] {
      let stub = StubTransport()
      stub.on(where: { _ in true }) { request in
        let page =
          URIQuery(url: request.url.absoluteString).value(of: "page").flatMap { Int($0) } ?? 1
        let item = page <= count ? "\(page)" : ""
        let tag = "\"\(page) \(item)\""
        if request.headers["If-None-Match"] == tag { return .status(304, headers: ["ETag": tag]) }
        return .json(
          #"{"total":\#(count),"items":[\#(item)]}"#, headers: ["ETag": tag])
      }
      let session = Session()
      let status = await session.run(
        address, "--style", "page=page", "--cache", path, "--concurrency", concurrency,
        transport: stub)
      #expect(status == .complete)
      #expect(session.lines == (1...count).map { "\($0)" }, "\(session.errorText)")
    }
  }

  @Test("A failed revalidation is no success because the limit is reached")
  func failedRevalidation() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pages = ["[1, 2]", "[3]", "[4]"]
    _ = await Session().run(address, "--cache", path, transport: server(pages))
    for (limit, isFailure) in [(1, false), (2, false), (3, true), (4, true)] {
      let stub = server(pages)
      stub.on(.get, "/items?page=2", .status(500))
      let session = Session()
      let status = await session.run(
        address, "--cache", path, "--limit", "\(limit)", "--retries=0", "--summary", transport: stub
      )
      #expect((status == .incomplete) == isFailure, "\(limit): \(session.errorText)")
      #expect(session.summary?["reason"]?.string == (isFailure ? "http" : nil))
    }
  }

  @Test(
    "No page is still loading when the cache is complete and the program ends",
    arguments: ["--summary", "--events", "--quiet"])
  func loadsAtTheEnd(option: String) async {
    defer { try? FileManager.default.removeItem(at: folder) }
    let stub = server(["[1]", "[2]", "[3]"])
    stub.hold(.get, "/items?page=3").release()
    // That of the refresh, which fails at page 2.
    let gate = stub.hold(.get, "/items?page=3")
    let count = Locked(0)
    stub.on(.get, "/items?page=2") { _ in
      guard count.next() > 1 else {
        return .json("[2]", headers: ["Link": "</items?page=3>; rel=next"])
      }
      await gate.arrived()
      return .status(500)
    }
    let session = Session()
    var isLoading: Bool?
    session.onError = {
      guard isLoading == nil, session.errorText.contains("\"status\"") else { return }
      isLoading = !gate.isCancelled
    }
    let status = await session.run(
      address, "--cache", path, "--refresh=1", "--concurrency=3", "--retries=0", "--summary",
      option, transport: stub)
    #expect(status == .incomplete)
    #expect(gate.request != nil && isLoading == false)
  }

  @Test("A watch says at once that the cache has failed, and once")
  func failureWhileWatching() async throws {
    try Data().write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = Session()
    var isInTime = false
    session.onError = {
      guard session.errorText.contains("warning: the cache"), !session.interrupts.hasCome else {
        return
      }
      isInTime = true
      session.interrupts.interrupt()
    }
    let count = Locked(0)
    let stub = StubTransport()
    stub.on(.get, "/items") { _ in
      let number = count.next()
      if number == 1000 { await session.interrupts.interrupt() }
      return .json("[\(number)]")
    }
    let status = await session.run(
      address, "--cache=\(path)", "--watch=0.001", transport: stub)
    #expect(status == .interrupted)
    #expect(isInTime)
    #expect(session.errorLines.count { $0.contains("warning: the cache") } == 1)
  }

  @Test("Pages that may not be stored are not kept in silence")
  func noStore() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    for headers: HTTPHeaders in [["Cache-Control": "private, no-store"], [:]] {
      let stub = StubTransport()
      stub.on(.get, "/items", .json("[1]", headers: headers))
      let session = Session()
      _ = await session.run(address, "--cache", path, transport: stub)
      #expect(
        session.errorText.contains("note: the server forbids storing 1 page")
          != headers.fields.isEmpty)
    }
  }

  @Test("What has changed since is printed as it is now")
  func changed() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = await Session().run(address, "--cache", path, transport: server(["[1]", "[2]", "[3]"]))
    let session = Session()
    let status = await session.run(
      address, "--cache", path, "--summary", transport: server(["[1]", "[20, 21]", "[3]", "[4]"]))
    #expect(status == .complete)
    #expect(session.lines == ["1", "20", "21", "3", "4"])
    #expect(session.summary?["requests"]?.int == 4)
  }

  @Test("Pages that are not in the cache are asked for once")
  func partly() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pages = ["[1]", "[2]", "[3]"]
    _ = await Session().run(
      address, "--cache", path, "--limit=1", transport: server(pages))
    let session = Session()
    _ = await session.run(address, "--cache", path, "--summary", transport: server(pages))
    #expect(session.lines == ["1", "2", "3"])
    #expect(session.summary?["requests"]?.int == 3)
    #expect(session.summary?["notModified"]?.int == 1)
  }

  @Test("Without the server, what the cache has is printed, and the list is incomplete")
  func offline() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = await Session().run(address, "--cache", path, transport: server(["[1]", "[2]"]))
    let session = Session()
    let stub = StubTransport()
    stub.on(where: { _ in true }, .failure(.unreachable))
    let status = await session.run(
      address, "--cache", path, "--retries=0", "--summary", transport: stub)
    #expect(status == .incomplete)
    #expect(session.lines == ["1", "2"])
    #expect(session.summary?["reason"]?.string == "transport")
  }

  @Test("Items that the server has not confirmed are counted where the list is incomplete")
  func unconfirmed() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pages = ["[1, 2]", "[3]", "[4]"]
    _ = await Session().run(address, "--cache", path, transport: server(pages))
    let note = " of them from the cache, not confirmed by the server"
    for (failing, options, count) in [
      ("", [], 4), ("?page=2", [], 2), ("?page=3", ["--quiet"], 1), ("?page=3", ["--refresh=1"], 1),
      ("?page=2", ["--limit=3"], 1),
    ] {
      let stub = server(pages)
      stub.on(.get, "/items\(failing)", .status(500))
      let session = Session()
      let status = await session.run(
        [address, "--cache", path, "--retries=0"] + options, transport: stub)
      #expect(status == .incomplete)
      let line = session.errorLines.last { $0.contains("incomplete: ") }
      #expect(line?.contains(", \(count)\(note))") == true, "\(session.errorText)")
    }
    // All of them were confirmed before the refresh failed.
    for interrupts in [false, true] {
      let stub = server(pages)
      let gate = stub.hold(.get, "/items?page=2")
      gate.release(with: .status(304, headers: ["Link": "</items?page=3>; rel=next"]))
      let session = Session()
      if interrupts {
        let held = stub.hold(.get, "/items?page=2")
        let status = await session.run(
          address, "--cache", path, "--refresh=1", transport: stub, interruptedAt: held)
        #expect(status == .interrupted)
      } else {
        stub.on(.get, "/items?page=2", .status(500))
        let status = await session.run(
          address, "--cache", path, "--refresh=1", "--retries=0", transport: stub)
        #expect(status == .incomplete)
      }
      #expect(!session.errorText.contains("not confirmed"), "\(session.errorText)")
    }
  }

  @Test(
    "Items of the cache that follow a page that now leads elsewhere are counted as not confirmed")
  func unlinked() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pages = ["[1, 2]", "[3]", "[4, 5, 6]"]
    for (limit, count) in [("9", 3), ("5", 2)] {
      _ = await Session().run(address, "--cache", path, transport: server(pages))
      let stub = server(pages)
      stub.on(
        .get, "/items?page=2",
        .json("[3]", headers: ["ETag": "\"new\"", "Link": "</items?page=9>; rel=next"]))
      stub.on(.get, "/items?page=9", .status(500))
      let session = Session()
      let status = await session.run(
        address, "--cache", path, "--retries=0", "--limit", limit, transport: stub)
      #expect(status == .incomplete)
      #expect(
        session.errorText.contains(
          " of 2 pages, \(count) of them from the cache, not confirmed by the server)"),
        "\(session.errorText)")
    }
  }

  @Test("Items of the cache that are printed after an interruption are counted as not confirmed")
  func interrupted() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pages = ["[1, 2]", "[3]", "[4]"]
    _ = await Session().run(address, "--cache", path, transport: server(pages))
    let stub = server(pages)
    let gate = stub.hold(.get, "/items?page=2")
    let session = Session()
    let status = await session.run(
      address, "--cache", path, transport: stub, interruptedAt: gate)
    #expect(status == .interrupted)
    #expect(session.lines == ["1", "2", "3", "4"])
    #expect(
      session.errorText.contains("4 items of 3 pages, 2 of them from the cache, not confirmed"),
      "\(session.errorText)")
  }

  @Test("What another token has received is not shown")
  func tokens() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    func run(_ token: String) async -> Session {
      let session = Session()
      _ = await session.run(
        address, "--cache", path, "-HAuthorization: Bearer \(token)", "--summary",
        transport: server(["[1]"]))
      return session
    }
    _ = await run("canary-1")
    #expect(await run("canary-2").summary?["notModified"]?.int == 0)
    #expect(await run("canary-1").summary?["notModified"]?.int == 1)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      let bytes = try Data(contentsOf: folder.appending(path: name))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("canary"))
    }
  }

  @Test("A cache that cannot be read or written is a warning")
  func unusable() async throws {
    try Data().write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = Session()
    let status = await session.run(
      address, "--cache=\(path)", "--summary", transport: server(["[1]", "[2]"]))
    #expect(status == .complete)
    #expect(session.lines == ["1", "2"])
    #expect(session.errorLines.count { $0.contains("warning: the cache") } == 1)
    #expect(session.summary?["status"]?.string == "complete")
  }

  @Test("A refresh and the watching of a list begin after the pages are confirmed")
  func refresh() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = await Session().run(address, "--cache", path, transport: server(["[1]", "[2]"]))
    let session = Session()
    let status = await session.run(
      address, "--cache", path, "--refresh=1", "--summary", transport: server(["[1]", "[3]"]))
    #expect(status == .complete)
    #expect(session.lines == ["1", "3"])
    #expect(session.summary?["requests"]?.int == 4)
  }
}
