/// Distinguishes arrays of messages about a request from lists of items.
extension JSONText {
  /// Whether an array of that name has messages about the request, and no items.
  func isReport(named name: MemberName) -> Bool {
    guard name.isOfMessages, let elements, !elements.isEmpty else { return false }
    return elements.allSatisfy { element in
      guard element.kind == .object else {
        return element.kind == .string && !["message", "messages"].contains(name.joined)
      }
      return element.namedMembers.allSatisfy { Self.reportNames.contains($0.name.joined) }
    }
  }

  /// Whether an array of that name may have such messages or items: it is empty, or has texts.
  func mayBeReport(named name: MemberName) -> Bool {
    name.isOfMessages && elements?.allSatisfy { $0.kind == .string } == true
  }

  /// The members of messages about a request. What has others, such as an `id`, is an item.
  private static let reportNames: Set = [
    "code", "text", "message", "msg", "detail", "details", "severity", "level", "type", "field",
    "path", "loc", "property", "ctx", "input", "reason", "domain", "target", "rule", "errorcode",
  ]
}

extension MemberName {
  /// Whether a member of this name has errors and never items, such as `errors` or `errorMessages`.
  var isOfErrors: Bool {
    guard let last = words.last else { return false }
    return [
      "error", "errors", "violation", "violations", "fault", "faults", "exception", "exceptions",
    ].contains(last)
      || ["errormessages", "errordetails", "errorlist"].contains(joined)
  }

  /// Whether a member of this name has the code or the text of an error, such as `errno` or
  /// `error_description`.
  var isOfErrorCode: Bool {
    ["err", "iserror", "haserror", "haserrors", "invalidparams", "retcode"].contains(joined)
      || ["err", "error"].contains { start in
        joined.hasPrefix(start)
          && ["code", "no", "msg", "message", "type", "description", "info"]
            .contains(joined.dropFirst(start.count))
      }
  }

  /// Whether a member of this name has the code of the response.
  var isOfCode: Bool {
    ["code", "status", "statuscode", "errno", "retcode", "errcode", "resultcode"].contains(joined)
  }

  /// Whether a member of this name may have messages about the request.
  fileprivate var isOfMessages: Bool {
    ["messages", "message", "detail", "details", "warnings", "infos", "notices", "notifications"]
      .contains(joined) || joined.hasPrefix("error")
  }
}
