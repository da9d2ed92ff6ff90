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
    lines += stubs.map { "  \($0.rule) – used \($0.timesUsed) times" }
    return lines.joined(separator: "\n")
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
