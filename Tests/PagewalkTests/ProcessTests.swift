import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

/// The built program as a process of its own, which is beside the tests.
private let program = URL(filePath: CommandLine.arguments.first ?? "")
  .deletingLastPathComponent().appending(path: "pagewalk")

@Suite(
  "The program as a process", .standardTimeLimit,
  .enabled(if: FileManager.default.isExecutableFile(atPath: program.path())))
struct ProcessTests {
  /// A running program.
  private struct Running {
    let process = Process()
    let output = Pipe()
    let errors = Pipe()
    private let ended: AsyncStream<Never>

    init(
      _ arguments: String..., environment: [String: String] = [:], ignoresQuit: Bool = false,
      input: Pipe? = nil
    ) throws {
      process.executableURL = ignoresQuit ? URL(filePath: "/bin/sh") : program
      process.environment = ProcessInfo.processInfo.environment
        .filter { !$0.key.lowercased().hasSuffix("_proxy") }
        .merging(environment) { $1 }
      let ignoring = ["-c", "trap '' QUIT; exec \"$0\" \"$@\"", program.path()]
      process.arguments = (ignoresQuit ? ignoring : []) + arguments + [patience]
      if let input { process.standardInput = input }
      process.standardOutput = output
      process.standardError = errors
      let (ended, continuation) = AsyncStream<Never>.makeStream()
      self.ended = ended
      process.terminationHandler = { _ in continuation.finish() }
      try process.run()
    }

    /// Waits for the end.
    func status() async -> Int32 {
      for await _ in ended {}
      return process.terminationStatus
    }

    func rest(of pipe: Pipe) throws -> String {
      String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
  }

  /// Pages without an end.
  ///
  /// - Parameter padding: what the one item of a page has beside its number.
  private func endless(
    padding: String? = nil,
    _ response:
      @escaping @Sendable (_ page: Int, LoopbackServer.Response) -> LoopbackServer.Response = {
        $1
      }
  ) throws -> LoopbackServer {
    try LoopbackServer { request in
      let page = request.url.query()?.split(separator: "=").last.flatMap { Int($0) } ?? 1
      let item = padding.map { "\"\(page) \($0)\"" } ?? "\(page)"
      return response(
        page, .json("[\(item)]", headers: ["Link": "<?page=\(page + 1)>; rel=next"]))
    }
  }

  @Test("It exits with its status")
  func statuses() async throws {
    let version = try Running("--version")
    #expect(await version.status() == 0)
    #expect(try version.rest(of: version.output) == "pagewalk \(Pagewalk.version)\n")
    let unknown = try Running("--nonsense")
    #expect(await unknown.status() == 2)
    let server = try endless()
    let limited = try Running("\(server.url)", "--max-pages", "2")
    #expect(await limited.status() == 1)
    #expect(try limited.rest(of: limited.output) == "1\n2\n")
  }

  /// Runs the program by a shell, to its end.
  ///
  /// - Parameters:
  ///   - redirections: what the shell does with its standard streams.
  ///   - limits: what the shell does before that.
  private func run(
    _ arguments: String..., redirections: String = "", limits: String = ":"
  ) async throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "\(limits); exec \"$0\" \"$@\" \(redirections)", program.path()]
    process.arguments? += arguments
    (process.standardOutput, process.standardError) = (output, errors)
    let (ended, end) = AsyncStream<Never>.makeStream()
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    for await _ in ended {}
    let texts = try [output, errors].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    return (process.terminationStatus, texts[0], texts[1])
  }

  @Test("Standard streams that are closed are not taken for others")
  func closedStreams() async throws {
    let server = try endless()
    let result = try await run(
      "\(server.url)", "--max-pages=5", patience, redirections: "<&- 2>&-")
    #expect(result.status == 1)
    #expect(result.output == "1\n2\n3\n4\n5\n")
  }

  @Test("Standard output that is closed cannot be written", arguments: [">&-", "<&- >&-"])
  func closedOutput(redirections: String) async throws {
    let server = try LoopbackServer { _ in .json("[1]") }
    let result = try await run("\(server.url)", patience, redirections: redirections)
    #expect(result.status == 1)
    #expect(
      result.errors.contains("standard output cannot be written: Bad file descriptor"),
      "\(result.errors)")
    #expect(!result.errors.contains("complete"), "\(result.errors)")
  }

  @Test("A cache at a relative path is a warning where the current directory was removed")
  func removedDirectory() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let server = try LoopbackServer { _ in .json("[1]") }
    let path = folder.path()
    let result = try await run(
      "\(server.url)", "--cache=a/b c", patience, limits: "cd '\(path)'; rmdir '\(path)'")
    #expect(result.status == 0 && result.output == "1\n", "\(result.errors)")
    #expect(result.errors.contains("warning: the cache: "), "\(result.errors)")
  }

  @Test("Too few files that it may open are an error that says so", arguments: [5, 8, 12, 17, 40])
  func descriptors(limit: Int) async throws {
    let server = try LoopbackServer { _ in .json("[1]") }
    let result = try await run("\(server.url)", patience, limits: "ulimit -n \(limit)")
    let isEnough = limit == 40
    #expect(result.status == (isEnough ? 0 : 1))
    #expect(result.output == (isEnough ? "1\n" : ""))
    #expect(result.errors.contains("raise the limit of open files") != isEnough, "\(result.errors)")
  }

  @Test("So few files are no error where none is needed, or nothing takes it", arguments: [5, 12])
  func fewDescriptors(limit: Int) async throws {
    let limits = "ulimit -n \(limit)"
    let version = try await run("--version", limits: limits)
    #expect(version.status == 0)
    #expect(version.output == "pagewalk \(Pagewalk.version)\n")
    // Before the limit: the shell needs a descriptor to close one.
    let closed = "exec 2>&-; \(limits)"
    let help = try await run("--help", limits: closed)
    #expect(help.status == 0 && help.output.contains("--max-pages"))
    let unknown = try await run("--nonsense", limits: limits)
    #expect(unknown.status == 2 && unknown.errors.contains("--nonsense"), "\(unknown.errors)")
    let walk = try await run("http://items.invalid", limits: closed)
    #expect(walk.status == 1 && walk.output.isEmpty)
  }

  @Test("A pipe that is closed ends it")
  func closedPipe() async throws {
    // So long that the pipe is full before the limit of pages is reached, however late it is read.
    let server = try endless(padding: String(repeating: ".", count: 10_000))
    let running = try Running("\(server.url)", "--quiet")
    let first = running.output.fileHandleForReading.availableData
    #expect(first.starts(with: Data("\"1 .".utf8)))
    try running.output.fileHandleForReading.close()
    #expect(await running.status() == 1)
    #expect(running.process.terminationReason == .exit)
    #expect(try running.rest(of: running.errors) == "")
  }

  @Test("SIGINT ends it with the items that have come")
  func interrupt() async throws {
    let server = try endless { page, response in page == 3 ? .stall : response }
    let running = try Running("\(server.url)", "--quiet", "--summary")
    await server.requests(atLeast: 3)
    kill(running.process.processIdentifier, SIGINT)
    #expect(await running.status() == 130)
    #expect(running.process.terminationReason == .exit)
    #expect(try running.rest(of: running.output) == "1\n2\n")
    #expect(try running.rest(of: running.errors).contains(#""reason":"cancelled""#))
  }

  @Test("SIGINT ends it while nothing reads what it writes")
  func interruptOfBlockedOutput() async throws {
    // One page is more than a pipe takes.
    let server = try endless(padding: String(repeating: ".", count: 200_000))
    let running = try Running("\(server.url)", "--quiet", "--summary")
    await server.requests(atLeast: 1)
    // It has begun to write, and nothing reads the rest.
    #expect(try running.output.fileHandleForReading.read(upToCount: 1)?.count == 1)
    kill(running.process.processIdentifier, SIGINT)
    #expect(await running.status() == 130)
    #expect(running.process.terminationReason == .exit)
    let errors = try running.rest(of: running.errors)
    #expect(errors.contains("not written, because nothing read standard output"), "\(errors)")
    #expect(errors.contains(#""reason":"cancelled""#))
  }

  @Test("SIGINT ends it while it reads an argument from a pipe")
  func interruptOfReading() async throws {
    let input = Pipe()
    let running = try Running("http://items.invalid", "--body", "@-", input: input)
    // More than a pipe takes, so it has begun to read.
    try input.fileHandleForWriting.write(contentsOf: Data(count: 200_000))
    kill(running.process.processIdentifier, SIGINT)
    #expect(await running.status() == 130)
    #expect(running.process.terminationReason == .exit)
  }

  @Test("SIGQUIT ends it at once, without a crash report")
  func quit() async throws {
    // The program inherits it; tests that run in the background of a script ignore the signal.
    signal(SIGQUIT, SIG_DFL)
    let server = try endless { page, response in page == 2 ? .stall : response }
    let running = try Running(
      "\(server.url)", "--quiet",
      environment: ["SWIFT_BACKTRACE": "enable=yes,output-to=stderr,interactive=no"])
    await server.requests(atLeast: 2)
    kill(running.process.processIdentifier, SIGQUIT)
    #expect(await running.status() == SIGQUIT)
    #expect(running.process.terminationReason == .uncaughtSignal)
    #expect(try !running.rest(of: running.errors).contains("crashed"))
  }

  @Test("SIGQUIT stays ignored where it was")
  func ignoredQuit() async throws {
    let server = try endless { page, response in page == 2 ? .stall : response }
    let running = try Running("\(server.url)", "--quiet", ignoresQuit: true)
    await server.requests(atLeast: 2)
    kill(running.process.processIdentifier, SIGQUIT)
    kill(running.process.processIdentifier, SIGINT)
    #expect(await running.status() == 130)
    #expect(running.process.terminationReason == .exit)
  }

  @Test("What the user passes and the server sends in secret is printed nowhere")
  func canaries() async throws {
    let server = try LoopbackServer { request in
      request.url.query()?.contains("page") == true
        ? .response(status: 403, headers: ["Set-Cookie": "s=canary", "X-Token": "canary"])
        : .json(
          "[1]", headers: ["Link": "<?token=canary&page=2>; rel=next", "Set-Cookie": "canary"])
    }
    let running = try Running(
      "\(server.url)?token=canary", "--header", "Authorization: Bearer canary", "--header",
      "Cookie: s=canary", "--summary", "--retries", "0")
    #expect(await running.status() == 1)
    let (output, errors) = (
      try running.rest(of: running.output), try running.rest(of: running.errors)
    )
    #expect(output == "1\n" && errors.contains("403"))
    #expect(!(output + errors).contains("canary"), "\(errors)")
    #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "Bearer canary" })
  }

  @Test("Two at once share a cache, which then has every page")
  func sharedCache() async throws {
    let server = try LoopbackServer { request in
      let page = request.url.query()?.split(separator: "=").last.flatMap { Int($0) } ?? 1
      let tag = "\"\(page)\""
      guard request.headers["If-None-Match"] != tag else {
        return .response(status: 304, headers: ["ETag": tag])
      }
      var headers: HTTPHeaders = ["ETag": tag]
      if page < 20 { headers["Link"] = "<?page=\(page + 1)>; rel=next" }
      return .json("[\(page)]", headers: headers)
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = ("\(server.url)", "--cache", folder.path(percentEncoded: false))
    let items = (1...20).map { "\($0)\n" }.joined()
    let both = try (0..<2).map { _ in try Running(arguments.0, arguments.1, arguments.2) }
    for running in both {
      #expect(await running.status() == 0)
      #expect(try running.rest(of: running.output) == items)
    }
    let count = server.requests.count
    let third = try Running(arguments.0, arguments.1, arguments.2)
    #expect(await third.status() == 0)
    #expect(try third.rest(of: third.output) == items)
    #expect(server.requests.dropFirst(count).allSatisfy { $0.headers["If-None-Match"] != nil })
  }

  #if os(Linux)
    @Test("A proxy that the environment names gets the requests, and its credentials")
    func proxy() async throws {
      let proxy = try LoopbackServer { _ in .json("[1]") }
      let port = try #require(proxy.url.port)
      let running = try Running(
        "http://items.invalid/a", "--retries", "0",
        environment: ["http_proxy": "http://user:canary@127.0.0.1:\(port)"])
      #expect(await running.status() == 0)
      #expect(try running.rest(of: running.output) == "1\n")
      let credentials = Data("user:canary".utf8).base64EncodedString()
      #expect(proxy.requests.map { $0.headers["Proxy-Authorization"] } == ["Basic \(credentials)"])
      #expect(try !running.rest(of: running.errors).contains("canary"))
    }

    @Test("An error says that the proxy has refused, without its credentials")
    func refusingProxy() async throws {
      // A server that is no proxy.
      let proxy = try LoopbackServer { _ in .response(status: 407) }
      let port = try #require(proxy.url.port)
      let running = try Running(
        "https://items.invalid/a", "--retries", "0",
        environment: ["https_proxy": "http://user:canary@127.0.0.1:\(port)"])
      #expect(await running.status() == 1)
      let errors = try running.rest(of: running.errors)
      #expect(errors.contains("the proxy demands other credentials (407)"))
      #expect(!errors.contains("canary"))
    }

    @Test("A host that the environment excepts is asked without a proxy")
    func exceptedHost() async throws {
      let server = try LoopbackServer { _ in .json("[1]") }
      let running = try Running(
        "\(server.url)", "--retries", "0",
        environment: ["all_proxy": "http://proxy.invalid", "no_proxy": "127.0.0.1"])
      #expect(await running.status() == 0)
      #expect(try running.rest(of: running.output) == "1\n")
    }

    @Test("The demo is asked without a proxy", arguments: ["http_proxy", "all_proxy"])
    func demoWithoutProxy(name: String) async throws {
      let proxy = try LoopbackServer { _ in .response(status: 502) }
      let running = try Running(
        "--quiet", "--limit=3", "--retries=0", environment: [name: "\(proxy.url)"])
      #expect(await running.status() == 0)
      #expect(try running.rest(of: running.output).split(separator: "\n").count == 3)
      #expect(proxy.requests.isEmpty)
    }
  #endif
}
