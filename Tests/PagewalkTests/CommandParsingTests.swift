import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Arguments", .standardTimeLimit)
struct CommandParsingTests {
  private func options(_ arguments: String...) throws -> Options {
    switch try Command(parsing: arguments) {
    case .demo(let options), .walk(_, let options): return options
    case .help, .version, .browse: throw UsageError("a walk was meant")
    }
  }

  @Test("Without arguments it is the demo with the defaults")
  func defaults() throws {
    #expect(try Command(parsing: []) == .demo(Options()))
    let options = try options()
    #expect(options.style == .auto && options.method == .get && options.body == nil)
    #expect(options.limit == nil && options.maximumPages == 10_000)
    #expect(options.timeout == .seconds(30) && options.retries == 2 && options.refreshes == 0)
  }

  @Test("A value follows its option or is joined to it")
  func values() throws {
    #expect(try options("--limit", "7").limit == 7)
    #expect(try options("--limit=7").limit == 7)
    #expect(try options("--header=A: b=c").headers["a"] == "b=c")
    #expect(try options("--limit", "1", "--limit", "2").limit == 2)
    #expect(try options("--timeout", "0.5").timeout == .milliseconds(500))
    #expect(try options("--max-pages", "3").maximumPages == 3)
    #expect(try options("--retries=0", "--refresh=2").refreshes == 2)
  }

  @Test("An option is not the value of the one before it, unless it is joined to it")
  func missingValues() throws {
    for arguments in [["--cache", "-s"], ["--cache", "--quiet"], ["--items", "-H"], ["--id"]] {
      let error = #expect(throws: UsageError.self) { try Command(parsing: arguments) }
      #expect(error?.description.contains("needs a value") == true, "\(arguments)")
    }
    #expect(try options("--cache=-s").cacheDirectory == "-s")
    #expect(try options("--body", "-1", "--method=POST").body?.description == "-1")
  }

  @Test("The largest response, and the file with the certificate authorities")
  func transport() throws {
    #expect(try options("--max-bytes", "7").maximumBytes == 7)
    #expect(throws: UsageError.self) { try options("--max-bytes", "0") }
    func parsed(_ text: String) throws(UsageError) -> Command {
      try Command(parsing: ["--cacert", "ca.pem"], files: Files { _ in Data(text.utf8) })
    }
    #if canImport(Darwin)
      #expect(throws: UsageError.self) { try parsed("-----BEGIN CERTIFICATE-----") }
    #else
      var expected = Options()
      expected.authoritiesFile = "ca.pem"
      #expect(try parsed("-----BEGIN CERTIFICATE-----") == .demo(expected))
      let error = #expect(throws: UsageError.self) { try parsed("DER") }
      #expect(error?.description.contains("PEM format, not the file 'ca.pem'") == true)
      #expect(throws: UsageError.self) { try Command(parsing: ["--cacert", "/nowhere/ca.pem"]) }
      #expect(try parsed("-----BEGIN TRUSTED CERTIFICATE-----") == .demo(expected))
      for other in ["PRIVATE KEY", "X509 CRL", "CERTIFICATE REQUEST"] {
        let error = #expect(throws: UsageError.self) { try parsed("-----BEGIN \(other)-----") }
        #expect(error?.description.contains("'ca.pem' has no certificate in it") == true)
      }
    #endif
  }

  @Test("What may repeat is collected")
  func repetitions() throws {
    let options = try options(
      "--header", "X: 1", "--header", "X: 2", "--allow-origin", "HTTPS://A.test:443/",
      "--allow-origin=http://b.test:81")
    #expect(options.headers.values(for: "x") == ["1", "2"])
    #expect(options.allowedOrigins == ["https://a.test", "http://b.test:81"])
  }

  @Test("Every line of a header is sent, in order")
  @MainActor
  func sentHeaders() async {
    let (session, stub) = (Session(), StubTransport(pages: ["[1]"]))
    _ = await session.run(address, "-H", "X: 1", "-H", "Y: 2", "-H", "x: 3", transport: stub)
    #expect(stub.requests.first?.headers.values(for: "X") == ["1", "3"])
  }

  @Test(
    "A header that may occur once is an error where it comes twice",
    arguments: ["Authorization", "content-type", "User-Agent", "Host"])
  func singleHeaders(name: String) throws {
    let error = #expect(throws: UsageError.self) {
      try Command(parsing: ["-H", "\(name): hidden", "-H", "\(name.uppercased()): hidden"])
    }
    let text = error?.description.lowercased() ?? ""
    // Host may not be given at all.
    let reason = name == "Host" ? "set by the transport" : "given twice; it may occur once"
    #expect(text.contains("'\(name.lowercased())' is \(reason)"), "\(text)")
    #expect(!text.contains("hid"), "\(text)")
  }

  @Test("A style is combined with the path of the items")
  func styles() throws {
    #expect(try options("--style", "link").style == .linkHeader)
    #expect(
      try options("--style", "header=Next-Page", "--items", "a.b").style
        == .header("Next-Page").items(at: "a.b"))
    let numbered = try options("--items", ".", "--style=page=p").style
    #expect(numbered == .pageNumber("p").items(at: .root))
    #expect(try options("--items=auto").style == .auto)
  }

  @Test("A body makes it a POST, and a cursor needs a body")
  func bodies() throws {
    #expect(try options("--body", #"{"a": 1}"#).method == .post)
    #expect(try options("--body", "{}", "--method", "put").method == .put)
    #expect(try options("--method", "POST").body == nil)
    let cursor = try options("--style", "cursor=next,after")
    #expect(cursor.method == .post)
    #expect(cursor.body?.description == "{}")
  }

  @Test("An argument after the URL is not shown: it may be a header field")
  func secondURL() throws {
    let error = try #require(throws: UsageError.self) {
      try Command(parsing: ["a.test", "Authorization: Bearer hunter22"])
    }
    #expect(!error.description.contains("hunter22"))
    #expect(error.description.contains("--header"))
  }

  @Test("Two hyphens end the options")
  func endOfOptions() throws {
    let command = try Command(parsing: ["--quiet", "--", "http://a.test/"])
    guard case .walk(let address, let options) = command else { throw UsageError("no walk") }
    #expect(address.url == "http://a.test/" && options.isQuiet)
    #expect(throws: UsageError.self) { try Command(parsing: ["--", "--quiet"]) }
  }

  @Test("Help and version come before what follows them")
  func help() throws {
    #expect(try Command(parsing: ["--help", "--nonsense"]) == .help)
    #expect(try Command(parsing: ["--quiet", "--version"]) == .version)
    let options = [
      "--style", "--items", "--limit", "--max-pages", "--max-empty-pages", "--header", "--method",
      "--body",
      "--allow-origin", "--refresh", "--timeout", "--retries", "--events", "--summary",
      "--watch",
    ]
    for option in options {
      #expect(Help.text.contains("\n  \(option) "), "\(option)")
    }
  }

  @Test(
    "What makes no sense is an error that names the argument and what is expected",
    arguments: [
      (["--nonsense"], "'--nonsense'", "an option"), (["--nonsense=secret"], "'--nonsense'", "URL"),
      (["-x"], "'-x'", "an option"), (["--limit"], "--limit", "a whole number from 0"),
      (["--limit", "--quiet"], "--limit", "a whole number from 0"),
      (["--limit", "-1"], "--limit", "not '-1'"), (["--limit", "1.5"], "--limit", "not '1.5'"),
      (["--limit="], "--limit", "not ''"),
      (["--limit", "99999999999999999999"], "--limit", "a whole number"),
      (["--max-pages", "0"], "--max-pages", "from 1"),
      (["--max-empty-pages", "0"], "--max-empty-pages", "from 1"),
      (["--retries", "many"], "--retries", "from 0"),
      (["--refresh", "+1"], "--refresh", "from 0"),
      (["--timeout", "0"], "--timeout", "from 0.001 to 1000000000"),
      (["--timeout", "nan"], "--timeout", "seconds"),
      (["--timeout", "1e3"], "--timeout", "seconds"),
      (["--style", "rel"], "--style", "header=NAME"), (["--style", "token=a"], "--style", "PARAM"),
      (["--items", "a..b"], "--items", "dots"), (["--body", "{"], "--body", "JSON"),
      (["--method", "GET", "--body", "{}"], "--method", "POST"),
      (["--method", "A B"], "--method", "POST"), (["--header", "A"], "--header", "'Name: value'"),
      (["--header", "A b: c"], "--header", "'Name: value'"),
      (["--header", "Host: a"], "--header", "'Host'"),
      (["--allow-origin", "a.test"], "--allow-origin", "https://"),
      (["--allow-origin", "https://a.test/b"], "--allow-origin", "https://"),
      (["--quiet=1"], "--quiet", "no value"),
      (["--watch", "0"], "--watch", "from 0.001 to 1000000000"),
      (["--watch", "1", "--refresh=1"], "--refresh", "without --watch"),
      (["--id", "a..b"], "--id", "single dots"), (["--cache="], "--cache", "a directory"),
      (["a"], "an argument is not a URL", "https://example.com"),
      (["ftp://a.test/"], "ftp://a.test/", "https"),
      (["http://"], "'http://'", "https://"), (["http://a.test:99999"], "99999", "https://"),
      ([""], "an argument is not a URL", "https://"),
      (["--style=link", "browse", "http://a.test"], "browse", "before all options"),
      (["http://a.test", "http://b.test"], "'http://b.test'", "one"),
    ])
  func usageErrors(arguments: [String], name: String, expectation: String) {
    let error = #expect(throws: UsageError.self) { try Command(parsing: arguments) }
    let text = error?.description ?? ""
    #expect(text.contains(name), "\(text)")
    #expect(text.contains(expectation), "\(text)")
  }

  @Test(
    "No error shows a secret",
    arguments: [
      ["--nonsense=hidden"], ["-uhidden"], ["--header", "Authorization hidden"],
      ["--header", "Authorization: hid\u{1}den"], ["--body", #"{"token": hidden"#],
      ["http://user:hidden@a.test:99999/"], ["user:hidden@a"], ["ftp://user:hidden@a.test"],
      ["http://a.test", "http://user:hidden@b.test"], ["a/?access_token=hidden"],
      ["Authorization: Bearer hidden", "http://a.test"], ["X-Key:hidden://a", "http://a.test"],
      ["-H", "X-Key:", "hidden", "http://a.test"], ["http://a.test", "X-Key:hidden://a"],
      ["http://a.test", "--header X-Key: hidden"], ["--header:hidden"],
    ])
  func secrets(arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try Command(parsing: arguments) }
    #expect(error?.description.contains("hid") == false, "\(error?.description ?? "")")
  }
}
