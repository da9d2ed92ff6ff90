import Freshet
import Testing

@testable import pagewalk

@Suite("Arguments of browse")
struct BrowseParsingTests {
  @Test("Without a URL it is the demo, with one the list there")
  func addresses() throws {
    #expect(try Command(parsing: ["browse"]) == .browse(nil, Options()))
    let address = Address(url: "https://a.test/x", origin: "https://a.test")
    #expect(try Command(parsing: ["browse", "a.test/x"]) == .browse(address, Options()))
  }

  @Test("It has the options of the walk that are not about output")
  func options() throws {
    let command = try Command(parsing: [
      "browse", "https://a.test", "--style=link", "--items=rows", "--id", "key", "-H", "A: b",
      "--allow-origin", "https://b.test", "--cache", "dir", "--timeout", "5", "--retries=1",
      "--max-pages=7", "--concurrency=2", "-X", "POST", "-d", "{}", "-L",
    ])
    guard case .browse(_, let options) = command else { throw UsageError("not browse") }
    #expect(options.identity == "key" && options.headers["A"] == "b")
    #expect(options.cacheDirectory == "dir" && options.maximumPages == 7)
    #expect(options.method == .post && options.retries == 1)
  }

  @Test(
    "The others are usage errors",
    arguments: [
      ["--limit", "3"], ["--refresh=2"], ["--watch", "5"], ["--events"], ["--summary"], ["--quiet"],
      ["-s"],
    ])
  func unsuitable(arguments: [String]) throws {
    #expect(throws: UsageError.self) { try Command(parsing: ["browse"] + arguments) }
    #expect(throws: Never.self) { try Command(parsing: arguments) }
  }

  @Test("A host of that name is reached with its scheme, and only the first argument is a command")
  func host() throws {
    guard case .walk(let address, _) = try Command(parsing: ["http://browse"]) else {
      throw UsageError("not a walk")
    }
    #expect(address.url.hasPrefix("http://browse"))
    #expect(throws: UsageError.self) { try Command(parsing: ["--events", "browse"]) }
    #expect(throws: UsageError.self) { try Command(parsing: ["browse", "browse"]) }
  }

  @Test("Help and version are those of the program")
  func help() throws {
    #expect(try Command(parsing: ["browse", "--help"]) == .help)
    #expect(Help.text.contains("pagewalk browse [URL] [options]"))
  }
}
