import Foundation
import Freshet
import FreshetCloudKit
import FreshetTesting

/// CloudKit Web Services as far as `records/query` goes, for stub transports.
///
/// Written after Apple's reference: the query is sent again with every marker, a marker of another
/// query is a bad request, errors are JSON with a `serverErrorCode`.
final class CloudKitServer: Sendable {
  struct State {
    /// The records of the one type there is, as JSON.
    var records: [String]
    var token = "api token/+="
    /// Errors to respond with before anything else: status and body.
    var errors: [(status: Int, body: String)] = []
    var headers: HTTPHeaders = [:]
    /// The marker at the end of the list: `null`, or none.
    var endsWithNull = false
    var seen: [HTTPRequest] = []
  }

  static let path = "/database/1/iCloud.com.example.notes/production/private/records/query"
  private let state: Locked<State>

  init(records: [String]) {
    state = Locked(State(records: records))
  }

  convenience init(count: Int) {
    self.init(
      records: (0..<count).map { index in
        """
        {"recordName": "n\(index)", "recordType": "Note", "recordChangeTag": "t\(index)",
         "fields": {"title": {"value": "No. \(index)", "type": "STRING"},
                    "size": {"value": \(9_007_199_254_740_993 + index), "type": "INT64"}},
         "created": {"timestamp": 1767225600000, "userRecordName": "_me"}, "deleted": false}
        """
      })
  }

  var seen: [HTTPRequest] { state.withLock { $0.seen } }
  var transport: StubTransport { StubTransport { self.respond(to: $0) } }

  func change(_ edit: @Sendable (inout State) -> Void) {
    state.withLock { edit(&$0) }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    state.withLock { state in
      state.seen.append(request)
      let (status, body) = Self.response(to: request, &state)
      var headers = state.headers
      headers["Content-Type"] = "application/json; charset=UTF-8"
      return HTTPResponse(
        status: status, headers: headers, body: Data(body.utf8), url: request.url)
    }
  }

  private static func response(
    to request: HTTPRequest, _ state: inout State
  ) -> (status: Int, body: String) {
    if !state.errors.isEmpty { return state.errors.removeFirst() }
    let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    guard request.method == .post, request.url.path == path else {
      return failure(404, "NOT_FOUND")
    }
    guard query.contains(URLQueryItem(name: "ckAPIToken", value: state.token)) else {
      return failure(401, "AUTHENTICATION_FAILED")
    }
    guard let json = try? JSONText(parsing: request.body ?? Data()),
      json[at: "query.recordType"]?.string == "Note", let asked = json["query"]
    else { return failure(400, "BAD_REQUEST") }
    let limit = json["resultsLimit"]?.int ?? 200
    guard (1...200).contains(limit) else { return failure(400, "BAD_REQUEST") }
    // The part of the query that identifies it, as far as a marker can.
    let mark = "\(asked)".utf8.reduce(5381) { ($0 &* 33) ^ Int($1) }.description
    var start = 0
    if let marker = json["continuationMarker"], marker.kind != .null {
      // A marker names its query, and where it continues, with bytes that must be sent back
      // unchanged.
      let parts = (marker.string ?? "").split(separator: "|")
      guard parts.count == 3, let index = Int(parts[1]), parts[0] == "é%2F+==",
        parts[2] == mark
      else { return failure(400, "BAD_REQUEST") }
      start = index
    }
    let end = min(start + limit, state.records.count)
    let records = start < end ? state.records[start..<end].joined(separator: ",") : ""
    let next =
      end < state.records.count
      ? #","continuationMarker": "\u00e9%2F+==|\#(end)|\#(mark)""#
      : state.endsWithNull ? #","continuationMarker": null"# : ""
    return (200, #"{"records": [\#(records)]\#(next)}"#)
  }

  private static func failure(_ status: Int, _ code: String) -> (Int, String) {
    (status, #"{"uuid": "u-1", "serverErrorCode": "\#(code)", "reason": "said the server"}"#)
  }
}
