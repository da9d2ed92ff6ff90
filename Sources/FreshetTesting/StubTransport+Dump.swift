import Foundation
import Freshet

extension StubTransport.Script {
  /// A description of a request that matched no stub; without the body, secrets replaced.
  func dump(of request: HTTPRequest) -> String {
    var lines = ["StubTransport has no response for this request:"]
    lines.append("  \(request)")
    lines += request.headers.fields.map { "  \($0)" }
    if let body = request.body { lines.append("  (\(body.count) bytes)") }
    lines.append(stubs.isEmpty ? "It has no stubs." : "Its stubs, oldest first:")
    lines += stubs.map { stub in
      let hint =
        stub.rule.differsInOrder(from: request) ? ", with its parameters in another order" : ""
      return "  \(stub.rule) – used \(stub.timesUsed) times\(hint)"
    }
    return lines.joined(separator: "\n")
  }
}

extension StubTransport.Rule {
  /// Whether a request has the path and the query parameters of the stub's target, but not in their order.
  fileprivate func differsInOrder(from request: HTTPRequest) -> Bool {
    guard case .target(let target) = self, target.method == request.method else { return false }
    let sent = StubTransport.Target(method: request.method, pathOf: request.url)
    return [sent.address, request.urlString].contains { address in
      address != target.address && Self.parts(of: address) == Self.parts(of: target.address)
    }
  }

  /// The path and the sorted parameters of an address.
  private static func parts(of address: String) -> [String] {
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return [String(parts[0])]
      + parts.dropFirst().flatMap { $0.split(separator: "&") }.map(String.init).sorted()
  }
}

extension StubTransport.Rule: CustomStringConvertible {
  var description: String {
    switch self {
    case .target(let target): "\(target.method) \(Redaction.url(target.address))"
    case .predicate(_, let name): "requests matched at \(name)"
    }
  }
}

extension StubTransport: SecretHolding {}

extension StubTransport.Response: SecretHolding {}
