/// Finds reports of failure in the body of a successful response.
extension JSONText {
  /// The message of a body that reports a failure as many APIs do: none if it has no message, nil if it
  /// reports no failure.
  ///
  /// Only a page without items is looked at: one with items is a page. A failure is an `error` or `errors`
  /// with content, and an `ok` or `success` that is false. Other members only hint at one, and may be about
  /// something else, such as the filter of a list of jobs: `errcode` and the like, a `status` such as
  /// `error` or `OVER_QUERY_LIMIT`, and a code from 400 on beside a message.
  ///
  /// - Parameters:
  ///   - path: the path of the item array; the objects that it is in are looked at as well.
  ///   - acceptsHints: whether a hint is enough.
  func reportedFailure(around path: JSONPath, acceptingHints acceptsHints: Bool = true) -> [String]?
  {
    let failure = objects(around: path).first { object in
      let members = object.namedMembers
      let messages = members.filter { name, value in
        ["message", "msg", "detail", "details", "reason"].contains(name.joined) && value.isFailure()
      }
      // The numbers that mean success differ from server to server, and its message does not say so.
      let isRefused =
        messages.contains { $0.value.string?.saysFailure == true }
        && members.contains { $0.name.isOfCode && $0.value.statedCount.map { $0 > 299 } == true }
      return isRefused
        || members.contains { name, value in
          Self.isFailure(
            name, value, besideMessage: !messages.isEmpty, acceptingHints: acceptsHints)
        }
    }
    guard let failure else { return nil }
    return (failure.failureMessage() ?? failureMessage()).map { [$0] } ?? []
  }

  /// The name of the member by which a page with items says that some may be missing, or that the request
  /// has failed; nil for none.
  func signOfMissing(around path: JSONPath) -> String? {
    if let count = self[at: "_shards.failed"]?.count, count > 0 { return "_shards.failed" }
    return objects(around: path).lazy.flatMap(\.namedMembers).first { name, value in
      Self.partialNames.contains(name.joined) && value.isTrue
        || Self.isFailure(name, value, besideMessage: false, acceptingHints: false)
    }?.name.text
  }

  /// The objects that an item array is in, and those in them that have the status of the response.
  private func objects(around path: JSONPath) -> [JSONText] {
    let depths = path.names.isEmpty ? 0..<1 : path.names.indices
    return depths.flatMap { depth -> [JSONText] in
      guard let object = self[at: JSONPath(names: Array(path.names[..<depth]))] else { return [] }
      let heads = object.namedMembers.filter { Self.headNames.contains($0.name.joined) }
      return [object] + heads.map(\.value)
    }
  }

  /// The names of flags of a page that is a part of what was asked for.
  private static let partialNames: Set = [
    "timedout", "incompleteresults", "partialresults", "ispartial",
  ]

  /// Objects that some servers put the status of the response into.
  private static let headNames: Set = [
    "meta", "header", "head", "responseheader", "responsestatus", "status", "fault", "response",
  ]

  /// Whether a member says that the request has failed, or hints at it.
  private static func isFailure(
    _ name: MemberName, _ value: JSONText, besideMessage hasMessage: Bool,
    acceptingHints acceptsHints: Bool
  ) -> Bool {
    switch name.joined {
    // 0 may be the number of those that have succeeded.
    case "ok", "success", "succeeded", "successful", "issuccess", "issuccessful":
      return value.isFalse && (value.kind != .number || hasMessage)
    case "error", "errors":
      return value.isFailure()
    case _ where !acceptsHints:
      return false
    case "response":
      return value.string?.asciiLowercased == "false"
    case let name where partialNames.contains(name):
      return value.isTrue
    case "status", "stat", "statuscode", "code", "httpstatus", "httpcode":
      if let code = value.statedCount, (400..<600).contains(code) {
        return hasMessage || !name.joined.hasSuffix("code")
      }
      return (name.joined.hasPrefix("stat") || name.joined == "code")
        && !failures.isDisjoint(with: value.string?.words ?? [])
    case "result":
      return !failures.isDisjoint(with: value.string?.words ?? [])
    case "message", "msg", "reason":
      return !refusals.isDisjoint(with: value.string?.words ?? [])
    default:
      return (name.isOfErrors || name.isOfErrorCode) && value.isFailure()
    }
  }

  /// Words of a status.
  private static let failures: Set = [
    "error", "errors", "fail", "failed", "failure", "denied", "invalid", "unauthorized",
    "forbidden", "exceeded", "limit",
  ]

  /// Words of a message that is about nothing else.
  fileprivate static let refusals: Set = [
    "exceeded", "denied", "unauthorized", "forbidden", "quota", "throttled", "unavailable",
  ]

  /// How deep reports are read: each level is read again for the one around it.
  private static let depthOfReports = 4

  /// Whether a value for errors has one: not if it is empty, 0, false, or says that all is well.
  private func isFailure(depth: Int = depthOfReports) -> Bool {
    switch kind {
    case .null: return false
    case .bool: return bool == true
    case .number: return ![0, 200].contains(double)
    case .string: return string?.saysSuccess == false
    case .array:
      let elements = elements ?? []
      return depth > 0
        ? elements.contains { $0.isFailure(depth: depth - 1) } : !elements.isEmpty
    case .object:
      let members = namedMembers
      guard depth > 0 else { return !members.isEmpty }
      let code = members.first { ["code", "errorcode"].contains($0.name.joined) }?.value
      // A code decides, unless there is a message all the same.
      if let code, code.kind != .null {
        return code.isFailure(depth: depth - 1)
          || members.contains {
            $0.name.joined == "message" && $0.value.isFailure(depth: depth - 1)
          }
      }
      return members.contains { $0.value.isFailure(depth: depth - 1) }
    }
  }

  /// The text for people in the body of an error response; nil if there is none.
  package var errorMessage: String? {
    let areLists = members?.allSatisfy { $0.value.kind == .array } ?? false
    return failureMessage(acceptingNumbers: false) ?? (areLists ? fieldMessage : nil)
  }

  /// The text for people in a report, the best one first.
  ///
  /// - Parameter acceptsNumbers: whether a number, such as a code, is better than nothing.
  private func failureMessage(
    depth: Int = depthOfReports, acceptingNumbers acceptsNumbers: Bool = true
  ) -> String? {
    if let string { return string.isEmpty ? nil : string }
    if kind == .number { return acceptsNumbers ? description : nil }
    guard depth > 0 else { return nil }
    if let first = elements?.first {
      return first.failureMessage(depth: depth - 1, acceptingNumbers: acceptsNumbers)
    }
    // As in OData: {"lang": "en", "value": "…"}.
    if self["lang"] != nil, let text = self["value"]?.string { return text }
    let members = namedMembers
    return Self.messageNames.lazy.compactMap { name in
      members.first { $0.name.joined == name && $0.value.isFailure() }?
        .value.failureMessage(depth: depth - 1, acceptingNumbers: acceptsNumbers)
    }.first ?? (depth < Self.depthOfReports ? fieldMessage : nil)
  }

  /// The first text in an object of texts by the fields that they are about, as
  /// `{"email": ["is missing"]}`. A secret is no such text.
  private var fieldMessage: String? {
    let fields = (members ?? []).map { (name: $0.name, texts: $0.value.elements ?? [$0.value]) }
    guard fields.allSatisfy({ $0.texts.allSatisfy { $0.kind == .string } }) else { return nil }
    return fields.lazy.filter { !Redaction.isSecretName($0.name) }
      .compactMap { $0.texts.first { $0.isFailure() }?.string }.first
  }

  private static let messageNames = [
    "message", "errordescription", "error", "errors", "msg", "errormessage", "errormessages",
    "errormsg", "errmsg", "messages", "faultstring", "detail", "details", "title", "description",
    "reason", "fault", "faults", "exception", "violations", "info", "text", "errortype", "status",
    "stat", "code",
  ]
}

extension String {
  /// Whether a message beside a code says that something has failed, and nothing of the end of a list.
  fileprivate var saysFailure: Bool {
    let words = Set(words)
    guard words.isDisjoint(with: ["no", "0", "without", "page", "offset", "range"]) else {
      return false
    }
    return !words.isDisjoint(with: JSONText.refusals)
      || !words.isDisjoint(with: [
        "error", "fail", "failed", "failure", "invalid", "expired", "busy", "timeout", "throttling",
        "ratelimit", "refused", "frequent", "frequently",
      ])
      || [["rate", "limit"], ["rate", "limited"], ["limit", "reached"], ["too", "many"]]
        .contains(where: words.isSuperset)
  }

  /// Whether a code or message says that nothing is wrong, or nothing at all.
  fileprivate var saysSuccess: Bool {
    let text = asciiLowercased
    return text.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0.isJSONWhitespace }
      || ["ok", "200", "none", "null", "false", "n/a", "-"].contains(text)
      || text.hasPrefix("success") || text.hasPrefix("no error")
  }
}
