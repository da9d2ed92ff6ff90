import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("What a server says of its error", .standardTimeLimit)
@MainActor
struct ServerMessageTests {
  private func errorText(
    _ response: StubTransport.Response, _ arguments: String..., url: String = address
  ) async -> String {
    let session = Session()
    let stub = StubTransport()
    stub.on(where: { _ in true }, response)
    let status = await session.run(
      [url, "--quiet", "--retries=0"] + arguments, transport: stub)
    #expect(status == .incomplete)
    #expect(session.errorLines.count == 1, "\(session.errorText)")
    return session.errorText
  }

  @Test(
    "It is shown, wherever it is in the body",
    arguments: [
      #"{"message": "No such list."}"#, #"{"error": "No such list."}"#,
      #"{"error": {"code": 7, "message": "No such list."}}"#,
      #"{"errors": [{"code": 7, "message": "No such list."}, {"message": "b"}]}"#,
      #"{"errors": ["No such list."]}"#, #"{"detail": "No such list."}"#,
      #"{"type": "about:blank", "title": "No such list.", "status": 400}"#,
      #"{"title": "Bad Request", "detail": "No such list."}"#,
      #"{"error": "invalid_request", "error_description": "No such list."}"#,
      #"{"detail": [{"loc": ["query"], "msg": "No such list."}]}"#,
      #"[{"message": "No such list."}]"#, #""No such list.""#,
      // Jira, AWS, Apigee, OData 2, Django REST, Laravel, CoinMarketCap.
      #"{"errorMessages": ["No such list."], "errors": {}}"#, #"{"Message": "No such list."}"#,
      #"{"fault": {"faultstring": "No such list.", "detail": {"errorcode": "x"}}}"#,
      #"{"error": {"code": "", "message": {"lang": "en", "value": "No such list."}}}"#,
      #"{"page_size": ["No such list."]}"#, #"{"errors": {"page": ["No such list."]}}"#,
      #"{"errorMessage": "No such list."}"#, #"{"messages": [{"text": "No such list."}]}"#,
      #"{"status": {"error_code": 1001, "error_message": "No such list."}}"#,
      #"{"status": 404, "error": "Not Found", "message": "No such list."}"#,
    ])
  func json(body: String) async {
    let text = await errorText(.json(body, status: 400))
    #expect(text.contains(#"the server says: "No such list". "#), "\(text)")
  }

  @Test("Plain text is shown, a page for a browser is not")
  func text() async {
    #expect(await errorText(.text("No such list.\n", status: 404)).contains(#""No such list". "#))
    let html = StubTransport.Response.text(
      "<html>No such list.</html>", status: 404, headers: ["Content-Type": "text/html"])
    #expect(await !errorText(html).contains("says"))
    #expect(await !errorText(.text("<!DOCTYPE html>", status: 404)).contains("says"))
    let labeled = StubTransport.Response.text(
      "Too many requests.", status: 429, headers: ["Content-Type": "text/html; charset=utf-8"])
    #expect(await errorText(labeled).contains(#"the server says: "Too many requests""#))
    #expect(await !errorText(.status(404)).contains("says"))
    #expect(await !errorText(.json(#"{"type": "about:blank"}"#, status: 400)).contains("says"))
    #expect(await !errorText(.json(#"{"token": ["hidden"]}"#, status: 400)).contains("says"))
    #expect(await !errorText(.json(#"{"code": 7}"#, status: 400)).contains("says"))
  }

  @Test("It is one line of moderate length")
  func length() async {
    let long = #"{"message": "a\n\u001b[2J\u2028 b\#(String(repeating: "x", count: 5000))"}"#
    let text = await errorText(.json(long, status: 500))
    #expect(text.contains("says: \"a [2J b"))
    #expect(text.contains("x…\""))
    #expect(text.count < 600)
    #expect(!text.contains("\u{1B}") && !text.contains("\u{2028}"))
    let reversed = await errorText(.json(#"{"message": "a\u202egpj.exe"}"#, status: 500))
    #expect(reversed.contains("says: \"a gpj.exe"))
  }

  @Test("A rate limit and a refusal keep their advice beside it")
  func advice() async {
    let limit = await errorText(
      .json(
        #"{"message": "API rate limit exceeded"}"#, status: 429, headers: ["Retry-After": "90"]),
      "--timeout=30")
    #expect(limit.contains("API rate limit exceeded"))
    #expect(limit.contains("--timeout") && limit.contains(" 90 s"))
    #expect(!limit.contains("seconds"))
    let refusal = await errorText(.json(#"{"message": "Bad credentials"}"#, status: 401))
    #expect(refusal.contains("Bad credentials") && refusal.contains("--header"))
  }

  @Test("What was sent as a secret is not repeated")
  func sentSecrets() async {
    let echo = StubTransport.Response.json(
      #"{"message": "bad: Bearer hidden1, hidden 2, hidden3, hidden4, hidden/5 in /items?api_key=hidden%2F5"}"#,
      status: 401)
    let text = await errorText(
      echo, "-H", "Authorization: Bearer hidden1", "--header=X-Api-Key: hidden 2",
      "--method=POST", "--body", #"{"a": [{"password": "hidden3", "name": "me"}]}"#,
      url: "http://user:hidden4@api.test/items?api_key=hidden%2F5")
    #expect(text.contains("bad: "))
    #expect(!text.contains("hidden"), "\(text)")
  }

  @Test("A token with a = in it is hidden whole", arguments: ["hid=den", "hidden/1+2==hid"])
  func tokenWithEqualsSign(token: String) async {
    let echo = StubTransport.Response.json(#"{"message": "bad: \#(token)."}"#, status: 401)
    let text = await errorText(echo, "-H", "Authorization: Bearer \(token)")
    #expect(text.contains("bad: ***"), "\(text)")
    #expect(!text.contains("hid"), "\(text)")
  }

  @Test("A header field with the URL of the list does not hide it, but its secrets")
  func headersWithURLs() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(where: { _ in true }, .json(#"{"message": "bad: hidden12."}"#, status: 401))
    _ = await session.run(
      address, "--events", "-H", "Origin: http://api.test",
      "-H", "Referer: \(address)?token=hidden12", transport: stub)
    #expect(session.errorText.contains("page 1 GET \(address) "), "\(session.errorText)")
    #expect(session.errorText.contains(#""bad: ***""#), "\(session.errorText)")
  }

  @Test("What a header field asks of the server is no secret", arguments: ["Prefer", "Range"])
  func publicFields(name: String) async {
    let session = Session()
    let stub = StubTransport()
    stub.on(where: { _ in true }, .json(#"{"message": "No count=exact here"}"#, status: 400))
    _ = await session.run(address, "--header=\(name): count=exact", transport: stub)
    #expect(session.errorText.contains("No count=exact here"), "\(session.errorText)")
  }

  @Test("A user name is not repeated either: it may be a key")
  func userNames() async {
    let echo = StubTransport.Response.json(#"{"message": "Unknown key abcdEFGH1234"}"#, status: 401)
    let pair = Data("abcdEFGH1234:X".utf8).base64EncodedString()
    let texts = [
      await errorText(echo, url: "http://abcdEFGH1234:X@api.test/items"),
      await errorText(echo, "-H", "Authorization: Basic \(pair)"),
    ]
    for text in texts { #expect(text.contains(#""Unknown key ***""#), "\(text)") }
  }

  @Test(
    "What a link has brought as a secret is not repeated",
    arguments: [
      ["link"], ["token=next,header X-Continuation"],
      ["cursor=next,a.token", "--method=POST", "--body={}"],
    ])
  func linkedSecrets(style: [String]) async {
    let session = Session()
    let stub = StubTransport()
    let link = "</items?access_token=abcdEFGH1234&after=x>; rel=next"
    stub.on(
      where: { _ in true },
      .json(#"{"items": [{"id": 1}], "next": "abcdEFGH1234"}"#, headers: ["Link": link]),
      .json(#"{"message": "Error validating access token abcdEFGH1234 for app"}"#, status: 401))
    _ = await session.run([address, "--style"] + style, transport: stub)
    #expect(session.errorText.contains("access token *** for app"), "\(session.errorText)")
    #expect(!session.errorText.contains("abcdEFGH1234"))
  }

  @Test(
    "It is not repeated where the page came with 200 either",
    arguments: [
      #""errors": [{"message": "%"}, {"message": "more"}]"#,
      #""items": [], "error": {"message": "%"}"#,
    ], ["link", "auto"])
  func linkedSecretsOfPages(members: String, style: String) async {
    let session = Session()
    let stub = StubTransport()
    let message = "Error validating access token abcdEFGH1234 for app, token=hidden"
    stub.on(
      where: { _ in true },
      .json(
        #"{"items": [{"id": 1}]}"#,
        headers: ["Link": "</items?access_token=abcdEFGH1234>; rel=next"]),
      .json("{\(members.replacing("%", with: message))}"))
    let status = await session.run(
      address, "--style", style, "--events", "--summary", transport: stub)
    #expect(status == .incomplete && session.lines == [#"{"id":1}"#])
    #expect(session.errorText.contains("access token *** for app, token=***"))
    #expect(
      !session.errorText.contains("abcdEFGH1234") && !session.errorText.contains("hidden"),
      "\(session.errorText)")
  }

  @Test("A secret is hidden before the message is cut and its spaces are collapsed")
  func cutSecrets() async {
    for count in [1990, 1995, 2000, 5000] {
      let spaces = String(repeating: " ", count: count)
      let echo = StubTransport.Response.json(
        #"{"message": "bad key\#(spaces)hidden  word"}"#, status: 401)
      let text = await errorText(echo, "--header=X-Api-Key: hidden  word")
      #expect(text.contains("bad key"))
      #expect(!text.contains("hid") && !text.contains("word"), "\(text)")
    }
  }

  @Test("A secret that is encoded for a URL or a form is hidden too")
  func encodedSecrets() async {
    let secret = "hid/den+ sé~cret'"
    let body = try? JSONText(parsing: #"{"token": "\#(secret)"}"#).description
    for echo in [
      secret, "hid%2Fden%2B%20s%C3%A9~cret%27", "hid%2fden%2b%20s%c3%a9~cret%27",
      "hid%2Fden%2B+s%C3%A9%7Ecret%27", "hid/den%2B%20se%CC%81~cret'", "hid/den+%20sé~cret'",
    ] {
      let text = await errorText(
        .json(#"{"message": "bad: \#(echo)."}"#, status: 401), "--method=POST", "--body", body ?? ""
      )
      #expect(text.contains(#""bad: ***""#), "\(text)")
    }
  }

  @Test("Secrets that overlap are hidden whole")
  func overlappingSecrets() async {
    let text = await errorText(
      .json(#"{"message": "bad: abcdefgh."}"#, status: 401), "--method=POST", "--body",
      #"{"token": ["abcde", "defgh"]}"#)
    #expect(text.contains(#""bad: ***""#), "\(text)")
  }

  @Test("What has no secrets in it is shown as it is", arguments: ["100% + 1%2", "a+b %zz %"])
  func otherText(text: String) async {
    let shown = await errorText(
      .json(#"{"message": "\#(text)"}"#, status: 400), "--header=X-Key: hidden12")
    #expect(shown.contains(#""\#(text)""#), "\(shown)")
  }

  @Test("What looks like a secret is not shown either")
  func foreignSecrets() async {
    let echo = StubTransport.Response.text(
      #"see https://me:hidden@b.test/x?token=hidden&a=1 or session_id=hidden; {"secret":"hidden"} Authorization: Bearer hidden"#,
      status: 403)
    let text = await errorText(echo)
    #expect(text.contains("a=1"))
    #expect(!text.contains("hidden"), "\(text)")
  }

  @Test("Of a long text its beginning is shown, and of long JSON the message, wherever that is")
  func longText() async {
    let text = "No such list. " + String(repeating: "x ", count: 40_000)
    #expect(await errorText(.text(text, status: 400)).contains("No such list"))
    let json = String(repeating: " ", count: 80_000) + #"{"message": "No such list."}"#
    #expect(await errorText(.json(json, status: 400)).contains("No such list"))
  }

  @Test("A long word without a secret is read once, and one with a secret has that hidden")
  func longWords() {
    let word = String(repeating: "a1.-", count: 25_000)
    #expect(Secrets.redacted(word) == word)
    #expect(Secrets.redacted(word + "token=hidden") == word + "token=***")
    #expect(Secrets.redacted("\(word)://me:hidden@b.test") == "\(word)://***@b.test")
    #expect(Secrets.redacted("1http://me:hidden@b.test") == "1http://***@b.test")
  }

  @Test("Errors in a page that came with 200 are redacted too")
  func reportedErrors() async {
    let text = await errorText(
      .json(#"{"errors": [{"message": "unknown key hidden12"}]}"#), "--header=X-Key: hidden12")
    #expect(text.contains("unknown key ***"), "\(text)")
  }
}
