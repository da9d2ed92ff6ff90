/// What a body says of its items.
extension JSONText {
  /// Where ``itemsBesideDescription`` are.
  static let pathBesideDescription: JSONPath = "1"

  /// Whether this is an array of an object that describes a list, and of its items.
  var hasDescribedItems: Bool { itemsBesideDescription != nil }

  /// The items of an array of just two values, an object with a sign of pages and the items, as of the World Bank; null
  /// is an empty list.
  var itemsBesideDescription: JSONText? {
    guard let second = self[at: Self.pathBesideDescription], [.array, .null].contains(second.kind),
      self[at: "2"] == nil, let first = self[at: "0"], first.kind == .object,
      first.namedMembers.contains(where: { ListSign($0.name.joined) != nil })
    else { return nil }
    return second.kind == .null ? .emptyArray : second
  }

  /// `"kind": "calendar#events"`, as in Google's older APIs, which leave out an empty list.
  var namesGoogleKind: Bool { self["kind"]?.string?.contains("#") == true }

  /// Whether this is a bundle of FHIR without entries: JSON there has no empty arrays, and a bundle need not have
  /// a total.
  var isEmptyBundle: Bool {
    self["resourceType"]?.string == "Bundle" && self["entry"] == nil
      && ["searchset", "history"].contains(self["type"]?.string)
  }

  /// Whether the number of items in the whole list is 0.
  var statesNoItems: Bool {
    let totals = listMembers.statedTotals
    return !totals.isEmpty && totals.allSatisfy { $0 == 0 }
  }

  /// Whether all items are before this page by its own numbers, `{"start": 40, "total_size": 31}`: Mailman has no item
  /// array there, nor has SCIM.
  var startsAfterLast: Bool {
    let members = listMembers
    guard let start = members.first(where: { $0.name.isOffset })?.value.statedCount,
      let total = members.statedTotals.max()
    else { return false }
    // What is in an object of unknown purpose may be an item, and `start` of something else.
    let hasObject = members.contains {
      $0.value.members?.isEmpty == false && ObjectRole($0.name) == .unknown
    }
    // If items are numbered from 1, the last one may be in an array.
    let hasArray = members.contains { $0.value[at: "0"] != nil }
    return !hasObject && (total..<max(total, .firstTime)).contains(start)
      && !(start == total && hasArray)
  }

  /// Whether a member says how long a list is, or what comes next in it.
  var describesList: Bool { listMembers.contains { $0.sign != nil || $0.countsItems } }

  private var listMembers: [ListDescription.Member] {
    ListDescription.objects(in: self, around: .root, from: .list, nouns: []).flatMap(\.members)
  }

  /// Whether this is an array of arrays, as of the rows of a table.
  var hasRows: Bool { kind == .array && self[at: "0"]?.kind == .array }

  /// Whether this is an array of objects with a name that is not for what is beside a list.
  func mayHaveItems(named name: MemberName) -> Bool {
    kind == .array && self[at: "0"]?.kind == .object && !isArrayOfLinks && !name.holdsNoItems
      && !isReport(named: name) && !name.isBesideLists
  }

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
  /// Whether an array of this name describes the columns of a table.
  var isOfColumns: Bool { ["columns", "schema", "fields", "headers"].contains(joined) }

  /// Whether an array of this name is for what is beside a list.
  var isBesideLists: Bool {
    ObjectRole(self) == .unrelated || isOfColumns
      || ["suggestions", "sorts", "categories", "warnings"].contains(joined)
  }

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

extension [ListDescription.Member] {
  /// The numbers of items in the whole list.
  fileprivate var statedTotals: [Int] { filter(\.countsItems).compactMap(\.value.statedCount) }
}
