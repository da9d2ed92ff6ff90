import Foundation
import Freshet

extension StubTransport {
  /// Method and address of a request: how most stubs are matched, by a dictionary lookup.
  struct Target: Hashable, Sendable {
    let method: HTTPMethod
    /// Path and query, or the absolute URL.
    let address: String

    init(method: HTTPMethod, address: String) {
      self.method = method
      self.address = address
    }

    /// Path and query of a URL, percent-encoded as they are sent; an empty path is `/`.
    init(method: HTTPMethod, pathOf url: URL) {
      self.method = method
      let whole = url.absoluteString
      let bytes = whole.utf8
      let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
      var start = bytes.startIndex
      if let scheme = bytes.firstIndex(of: UInt8(ascii: ":")), scheme < end {
        start = bytes.index(scheme, offsetBy: 3, limitedBy: end) ?? end
      }
      let tail = bytes[start..<end]
      let path = tail.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? end
      let address = whole[path..<end]
      self.address = address.utf8.first == UInt8(ascii: "/") ? String(address) : "/" + address
    }
  }

  /// The requests that a stub or a gate matches.
  enum Rule: Sendable {
    case target(Target)
    case predicate(@Sendable (HTTPRequest) -> Bool, name: String)

    init(_ method: HTTPMethod, _ address: String) {
      precondition(
        address.hasPrefix("/") || address.contains("://"),
        "A stub's target is a path that begins with /, or an absolute URL; this is "
          + Redaction.url(address))
      self = .target(Target(method: method, address: address))
    }

    /// Whether the rule matches a request; runs a test's closure, so never under the lock.
    func matches(_ request: HTTPRequest, _ target: Target) -> Bool {
      switch self {
      case .target(let expected): expected == target || expected.isAbsolute(request)
      case .predicate(let predicate, _): predicate(request)
      }
    }
  }

  enum Reply: Sendable {
    /// One after another, the last one forever.
    case responses([Response])
    case handler(@Sendable (HTTPRequest) async -> Response)
  }

  /// The reply of a stub to one request.
  enum Turn: Sendable {
    case response(Response)
    case handler(@Sendable (HTTPRequest) async -> Response)
  }

  struct Stub: Sendable {
    let rule: Rule
    let reply: Reply
    var timesUsed = 0
  }

  struct PendingGate: Sendable {
    let rule: Rule
    let gate: Gate
  }

  /// The stubs, the gates and the requests so far.
  struct Script: Sendable {
    var stubs: [Stub] = []
    /// The latest stub for each exact target.
    var exact: [Target: Int] = [:]
    /// The stubs that a lookup does not find: predicates and absolute URLs, oldest first.
    var searched: [(index: Int, rule: Rule)] = []
    /// Gates that no request has reached, oldest first.
    var gates: [PendingGate] = []
    var requests: [HTTPRequest] = []
    var unexpected: [HTTPRequest] = []
    var reportUnexpected: @Sendable (String) -> Void = { dump in
      FileHandle.standardError.write(Data((dump + "\n").utf8))
    }

    mutating func add(_ rule: Rule, _ reply: Reply) {
      if case .target(let target) = rule, target.address.hasPrefix("/") {
        exact[target] = stubs.count
      } else {
        searched.append((stubs.count, rule))
      }
      stubs.append(Stub(rule: rule, reply: reply))
    }

    /// Counts a use of the stub and returns its reply.
    mutating func use(_ index: Int) -> Turn {
      defer { stubs[index].timesUsed += 1 }
      switch stubs[index].reply {
      case .responses(let responses):
        return .response(responses[min(stubs[index].timesUsed, responses.count - 1)])
      case .handler(let handler):
        return .handler(handler)
      }
    }

    /// Removes the gate, unless another request reached it first.
    mutating func claim(_ gate: Gate) -> Bool {
      guard let index = gates.firstIndex(where: { $0.gate === gate }) else { return false }
      gates.remove(at: index)
      return true
    }
  }
}

extension StubTransport.Target {
  fileprivate func isAbsolute(_ request: HTTPRequest) -> Bool {
    method == request.method && address == request.url.absoluteString
  }
}
