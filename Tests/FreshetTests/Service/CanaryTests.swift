import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Secrets, through a whole store", .standardTimeLimit)
struct CanaryTests {
  /// A secret at each place where a program or a server may have one. What is stored by design has
  /// none: the URL of a request, and status, header fields, body and URL of a response.
  private enum Canary: String, CaseIterable {
    case account, header, variant, cookie, token, renewedToken, keyInURL, query, requestBody,
      searchBody
    case userName, password, setCookie, setCookie2, challenge, errorBody, unstored, text, location

    var text: String { "canary-\(rawValue)-7f3a" }

    /// Whether it is a part of what is stored by design: of the URL of a request.
    var isStored: Bool { self == .query }
  }

  private let folder = TemporaryFolder()

  @Test("None is shown anywhere, nor is any in the files", arguments: StoreActor.allCases)
  func nowhere(actor: StoreActor) async throws {
    try await actor.run { actor in
      let entries = Locked<[Service.LogEntry]>([])
      let server = try LoopbackServer(respond: Self.respond)
      let cache = DiskCache(directory: folder.url)
      let clock = ManualClock()
      let service = Service(
        baseURL: server.url.absoluteString, transport: SystemTransport(), clock: clock,
        isolation: #isolation)
      let tokens = TokenAuthorizer(token: Canary.token.text, clock: clock) {
        Canary.renewedToken.text
      }
      service.configure {
        $0.headers = [
          "X-Api-Key": Canary.header.text, "Cookie": Canary.cookie.text,
          "X-Variant": Canary.variant.text,
        ]
        $0.varyingHeaders = ["X-Variant"]
        $0.authorizer = tokens
        $0.userIdentifier = Canary.account.text
        $0.cache = cache
        $0.log = { entry in entries.withLock { $0.append(entry) } }
      }
      service.configure("keyed") { $0.authorizer = KeyInURL() }

      let query = "?access_token=\(Canary.query.text)"
      var resources = [
        "data", "moved", "unstored", "challenge", "error", "malformed", "html", "reset", "loop",
        "elsewhere", "keyed",
      ].map { service.resource($0 + query, of: [String].self) }
      let userInfo = "\(Canary.userName.text):\(Canary.password.text)@"
      let port = server.url.port ?? 0
      resources.append(
        service.resource(absoluteURL: "http://\(userInfo)127.0.0.1:\(port)/data" + query))
      resources.append(
        try service.resource(
          .post, absoluteURL: server.url.absoluteString + "/data",
          body: JSONText(parsing: #"{"q": "\#(Canary.searchBody.text)"}"#), decoder: .json))

      var failures = 0
      for resource in resources {
        let request = resource.load()
        if let error = await request.failure() {
          failures += 1
          show(error.message, error.userMessage, error.localizedDescription)
          show(error, error.underlying as Any)
        }
        show(resource, request, request.result as Any, resource.key)
      }
      #expect(failures == 8)
      let put = resources[0].request(.put, body: .json([Canary.requestBody.text]))
      _ = try await put.value()
      show(put, tokens, service, cache)
      // Confirmed by the server, and read again by another service.
      clock.advance(by: .seconds(60))
      _ = try await resources[0].load().value()
      await service.flushCache()
      show(try #require(await cache.entry(for: resources[0].key)))

      // A file that is damaged is reported.
      for name in folder.names {
        let data = try Data(contentsOf: folder.file(name))
        try data.prefix(data.count / 2).write(to: folder.file(name))
      }
      let again = Service(
        baseURL: server.url.absoluteString, transport: SystemTransport(), clock: clock,
        isolation: #isolation)
      again.configure {
        $0.headers["X-Variant"] = Canary.variant.text
        $0.varyingHeaders = ["X-Variant"]
        $0.userIdentifier = Canary.account.text
        $0.cache = cache
        $0.log = { entry in entries.withLock { $0.append(entry) } }
      }
      _ = try await again.resource("data" + query, of: [String].self).load().value()
      await again.flushCache()

      let log = entries.withLock { $0 }
      #expect(Set(log.map(\.category)).isSuperset(of: [.request, .response, .cacheFailure]))
      for entry in log { show(entry, entry.message) }
      try checkFiles()
      // Each was in use at all.
      let sent = server.requests.map { request in
        let values = request.headers.fields.map(\.value) + [request.url.absoluteString]
        return values.joined() + String(decoding: request.body ?? Data(), as: UTF8.self)
      }.joined()
      for canary in Canary.allCases.prefix(while: { $0 != .userName }) where canary != .account {
        #expect(sent.contains(canary.text), "\(canary) was not sent")
      }
    }
  }

  /// Looks for all canaries in every way to print the values.
  private func show(_ values: Any..., isolation: isolated (any Actor)? = #isolation) {
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), "\([value])", dumped] {
        for canary in Canary.allCases where text.contains(canary.text) {
          Issue.record("\(canary) is shown by \(type(of: value)): \(text.prefix(300))")
        }
      }
    }
  }

  private func checkFiles() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(paths.count >= 3)
    var wasFound = false
    for path in paths {
      let bytes = (try? Data(contentsOf: folder.url.appending(path: path))) ?? Data()
      wasFound = wasFound || bytes.range(of: Data(Canary.query.text.utf8)) != nil
      for canary in Canary.allCases where !canary.isStored {
        let secret = Data(canary.text.utf8)
        #expect(!path.contains(canary.text) && bytes.range(of: secret) == nil, "\(canary)")
        #expect(bytes.range(of: secret.base64EncodedData()) == nil, "\(canary)")
      }
    }
    #expect(wasFound, "The search finds what exists")
  }

  private static func respond(_ request: HTTPRequest) async -> LoopbackServer.Response {
    func text(_ canary: Canary) -> String { "[\"\(canary.text)\"]" }
    let cookies: HTTPHeaders = [
      "Set-Cookie": Canary.setCookie.text, "Set-Cookie2": Canary.setCookie2.text, "ETag": "\"1\"",
      "Vary": "X-Api-Key, Cookie",
    ]
    switch request.url.lastPathComponent {
    case "moved":
      return .response(status: 302, headers: cookies.with("data", for: "Location"))
    case "unstored":
      return .json(text(.unstored), headers: ["Cache-Control": "no-store"])
    case "challenge":
      return .json(
        text(.errorBody), status: 401,
        headers: ["WWW-Authenticate": "Basic realm=\"\(Canary.challenge.text)\""])
    case "error": return .json(text(.errorBody), status: 503, headers: cookies)
    case "malformed": return .json("{\"\(Canary.text.text)\": \(Canary.text.text)")
    case "html":
      return .response(headers: ["Content-Type": "text/html"], body: Data(Canary.text.text.utf8))
    case "reset": return .json(text(.text)).truncated(after: 19)
    case "loop":
      return .response(status: 302, headers: ["Location": "loop?" + Canary.location.text])
    case "elsewhere":
      return .response(status: 302, headers: ["Location": "ftp://x/?" + Canary.location.text])
    default:
      if request.headers["If-None-Match"] == "\"1\"" {
        return .response(status: 304, headers: cookies)
      }
      return .json("[\"data\"]", headers: cookies)
    }
  }

  private struct KeyInURL: RequestAuthorizer {
    @concurrent
    func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
      var request = request
      request.url.append(queryItems: [URLQueryItem(name: "key", value: Canary.keyInURL.text)])
      return request
    }

    @concurrent
    func renew(after request: HTTPRequest) async throws -> Bool { false }
  }
}

extension HTTPHeaders {
  fileprivate func with(_ value: String, for name: String) -> HTTPHeaders {
    var headers = self
    headers.append(value, for: name)
    return headers
  }
}
