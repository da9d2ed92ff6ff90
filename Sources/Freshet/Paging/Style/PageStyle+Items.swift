/// Finds the item array in a body.
extension PageStyle {
  func locateItems(in body: JSONText) throws(PageError) -> (JSONPath, JSONText) {
    guard let itemsPath else { return try findItems(in: body) }
    guard let array = body[at: itemsPath] else {
      guard newArrays(in: body).isEmpty, mayLeaveOutItems(body) else {
        throw .noItems(at: itemsPath, nil)
      }
      return (itemsPath, .emptyArray)
    }
    switch array.kind {
    case .array: return (itemsPath, array)
    case .null: return (itemsPath, .emptyArray)  // how Go writes an empty list
    case let kind: throw .noItems(at: itemsPath, kind)
    }
  }

  /// Whether a body without an item array is an empty page of this style: it says that there are no
  /// items, or none from its start on, is a bundle of FHIR, has the link or no members, or is of Google's older APIs.
  private func mayLeaveOutItems(_ body: JSONText) -> Bool {
    if body.statesNoItems || body.startsAfterLast || body.isEmptyBundle { return true }
    guard let path = tokenPathOfItemlessBody else {
      // Where the list has its path, what has no members at all has no items.
      if itemsPath != nil, isCounting, body.members?.isEmpty == true { return true }
      return isAuto
        && ["next_page_token", "nextPageToken"].contains { body[$0]?.string?.isEmpty == false }
    }
    guard let members = body.members else { return false }
    return members.isEmpty || body[at: path] != nil || body.namesGoogleKind
  }

  /// The arrays of objects in the object with the item array that had nothing of their names where that was found:
  /// they may have items as well, for example if there is one array for each of several things.
  ///
  /// - Parameter frame: the body, with or without its items: without them there is less to read.
  func newArrays(in frame: JSONText) -> [JSONPath] {
    guard case .found(let itemsPath, let namesBesideItems?) = itemLocation else { return [] }
    let path = JSONPath(names: itemsPath.names.dropLast())
    let members = frame[at: path]?.members ?? []
    return members.filter { name, value in
      guard !namesBesideItems.contains(name) else { return false }
      let name = MemberName(name)
      return value.mayHaveItems(named: name) || value.hasRows && name.isOfList
    }.map { path.appending($0.name) }
  }

  /// Looks for the item array: the body, the array in it after an object that describes the list, or an array inside
  /// objects, the outermost first.
  ///
  /// On the outermost level that has any, an array with a usual name for lists is chosen, or else
  /// the only array of objects, or else the only array; without a usual name only if there is no other
  /// list deeper inside, and if the object around it has the content. Reports of errors never are. If there is
  /// none, the array of objects in an object named `page` is chosen. If nothing can be chosen and the body says
  /// that there are no items, or all arrays are empty, the page is empty and the path is ``JSONPath/root``; so it is
  /// where there is no array, and the style allows for that.
  private func findItems(in body: JSONText) throws(PageError) -> (JSONPath, JSONText) {
    guard body.kind != .array else {
      guard let items = body.itemsBesideDescription else { return (.root, body) }
      return (JSONText.pathBesideDescription, items)
    }
    var level = [Member(path: .root, value: body)]
    // A list of messages about the request or of errors, if there is no other.
    var messages: Member?
    // Whether there is an array that may be of something else: then the list is not known to be empty.
    var hasOtherArray = false
    // The lists in objects that describe the page by their name, and have its items all the same.
    var listsOfPages: [Member] = []
    for depth in 0..<Self.depthLimit {
      let members = level.flatMap(\.members)
      let arrays = level.flatMap(\.arrays).filter { !$0.value.isReport(named: $0.name) }
      let others = arrays.filter { !$0.value.mayBeReport(named: $0.name) }.withoutLinksOfOthers
      if !others.isEmpty {
        return try Self.choice(among: others, beside: members, at: depth, in: body)
      }
      messages = messages ?? arrays.first ?? Self.listOfErrors(in: level, of: body)
      hasOtherArray = hasOtherArray || members.contains(where: \.isOtherArray)
      let nulls = members.filter { $0.value.kind == .null && $0.name.isOfList && !hasOtherArray }
      if let null = nulls.first, nulls.count == 1 { return (null.path, .emptyArray) }
      listsOfPages += members.filter(\.isPage).flatMap(\.lists)
      level = level.flatMap(\.objects)
    }
    if !listsOfPages.isEmpty { return try Self.choice(among: listsOfPages) }
    if let messages, !Self.reportsFailure(messages, in: body) {
      return (messages.path, messages.value)
    }
    if body.statesNoItems || (body.namesGoogleKind || mayLeaveOutItems(body)) && !hasOtherArray {
      return (.root, .emptyArray)
    }
    if body["first"]?.linkValue?.string?.isReference == true {
      throw .itemsOnFirstPage("first")
    }
    throw .noItems(at: nil, nil)
  }

  /// The item array among the arrays on one level that are not reports.
  ///
  /// - Parameters:
  ///   - members: all members of the objects on that level.
  ///   - depth: how many levels are around it.
  private static func choice(
    among arrays: [Member], beside members: [Member], at depth: Int, in body: JSONText
  ) throws(PageError) -> (JSONPath, JSONText) {
    // What has the name of an object beside lists is a list only if there is no other.
    let others = arrays.filter { !$0.name.isOfObject }
    guard !others.isEmpty else {
      if body.statesNoItems { return (.root, .emptyArray) }
      let deeper = Self.lists(inside: members, from: depth, orAny: true)
      return try choice(among: deeper.isEmpty ? arrays : deeper)
    }
    let lists = others.filter(\.name.isOfList)
    if !lists.isEmpty { return try choice(among: lists) }
    let objects = others.filter(\.hasObjects).withoutLinks
    // OpenSearch's `{"schema": [{"name": "a"}], "datarows": [[1]]}`.
    let rows = others.filter(\.value.hasRows)
    if !rows.isEmpty, !objects.isEmpty, objects.allSatisfy(\.name.isOfColumns) {
      return try choice(among: rows)
    }
    let empty = others.filter(\.isEmpty)
    // The body reports zero items, so an array that is not empty is something else.
    if empty.count < others.count, objects.isEmpty || !empty.isEmpty, body.statesNoItems {
      return (.root, .emptyArray)
    }
    // Sanity's `{"result": [], "syncTags": ["s1:x"]}`.
    let contents = others.filter(\.name.isOfContent)
    if objects.isEmpty, contents.count == 1 { return try choice(among: contents) }
    // A list deeper inside is more likely than an array that is named for something else.
    let deeper = Self.lists(inside: members, from: depth, orAny: objects.isEmpty)
    return try choice(among: (objects.isEmpty ? others : objects) + deeper)
  }

  /// Whether a body reports a failure around a list of messages, or by them.
  private static func reportsFailure(_ messages: Member, in body: JSONText) -> Bool {
    // Texts under such a name are mostly those of a failure: any hint of one decides.
    let hasTexts = messages.value[at: "0"]?.kind == .string
    let report = hasTexts ? body : body.emptying(messages.value)
    return report.reportedFailure(around: messages.path, acceptingHints: hasTexts) != nil
  }

  /// As deep as `data.repository.issues.nodes`, and one more.
  private static let depthLimit = 5

  /// The arrays deeper inside that have a usual name for lists, and those of objects that have a sign of
  /// pages beside them, or are in an object that describes a list.
  ///
  /// - Parameter acceptsAny: whether any array of objects is one.
  private static func lists(
    inside members: [Member], from depth: Int, orAny acceptsAny: Bool
  ) -> [Member] {
    var level = members.filter(\.mayHaveItems)
    for _ in depth + 1..<max(depth + 1, depthLimit) where !level.isEmpty {
      let found = level.flatMap { object in
        let members = object.members
        let acceptsObjects =
          acceptsAny && ObjectRole(object.name) != .unrelated
          || ObjectRole(object.name) == .list || members.contains(where: \.isSignOfPages)
        return members.filter {
          $0.value.kind == .array && ($0.name.isOfList || acceptsObjects && $0.hasObjects)
        }
      }
      if !found.isEmpty { return found }
      level = level.flatMap(\.members).filter(\.mayHaveItems)
    }
    return []
  }

  /// The first list of errors that have an identity, and no report of a failure: the body or the object around it
  /// may describe the list.
  private static func listOfErrors(in level: [Member], of body: JSONText) -> Member? {
    lazy var hasNoItems = body.statesNoItems
    lazy var isOfList = body.describesList
    for object in level {
      let lists = object.members.filter {
        $0.name.isOfErrors && $0.value.elements?.isEmpty == false
      }
      guard !lists.isEmpty else { continue }
      guard !hasNoItems else { return nil }
      let describesList = isOfList || object.value.describesList
      if let list = lists.first(where: { $0.isListOfErrors(besideDescription: describesList) }) {
        return list
      }
    }
    return nil
  }

  private static func choice(
    among candidates: [Member]
  ) throws(PageError) -> (JSONPath, JSONText) {
    // A GraphQL connection has its items twice: as nodes, and in edges.
    let nodes = candidates.filter { $0.name.text == "nodes" }
    let isConnection = candidates.allSatisfy {
      ["nodes", "edges"].contains($0.name.text)
        && $0.path.names.dropLast() == nodes.first?.path.names.dropLast()
    }
    let choice = isConnection && nodes.count == 1 ? nodes : candidates
    if choice.count > 1, choice.allSatisfy(\.isEmpty) { return (.root, .emptyArray) }
    guard let first = choice.first, choice.count == 1 else {
      throw .ambiguousItems(candidates.map(\.path))
    }
    return (first.path, first.value)
  }

  fileprivate struct Member {
    let path: JSONPath
    let name: MemberName
    let value: JSONText
    /// Whether this is the body, or an object that has the content: by its name, or as the only one.
    private var isContent = true

    init(path: JSONPath, value: JSONText) {
      self.path = path
      self.value = value
      name = MemberName(path.names.last ?? "")
    }

    var members: [Member] {
      (value.members ?? []).map { Member(path: path.appending($0.name), value: $0.value) }
    }

    /// The arrays in it that may have the items: all in an object that has the content or describes a
    /// page, and those with a usual name in others.
    var arrays: [Member] {
      let acceptsAny = isContent || members.contains(where: \.isSignOfPages)
      return members.filter {
        $0.value.kind == .array && !$0.isApart && (acceptsAny || $0.name.isOfList)
      }
    }

    /// The objects in it that may have the items, or have others that may.
    var objects: [Member] {
      let objects = members.filter(\.mayHaveItems)
      // What has an `id` is a thing itself, and describes others.
      let isAround = isContent && value["id"] == nil
      let likely = objects.filter { $0.name.isOfContent || ObjectRole($0.name) == .unknown }
      let others = likely.isEmpty ? objects : likely
      let only = others.count == 1 && isAround ? others.first : nil
      return objects.map { object in
        var object = object
        object.isContent =
          object.name.isOfContent
          || object.path == only?.path && ObjectRole(object.name) != .unrelated
        return object
      }
    }

    /// Whether it is an object named `page` that describes one: AniList and others have the items in it.
    var isPage: Bool {
      value.kind == .object && name.joined == "page"
        && members.contains { $0.isSignOfPages || ObjectRole($0.name) == .page }
    }

    /// The arrays of objects in it, or those of them that have a usual name for lists.
    var lists: [Member] {
      let arrays = members.filter { $0.value.mayHaveItems(named: $0.name) }
      let usual = arrays.filter(\.name.isOfList)
      return usual.isEmpty ? arrays : usual
    }

    /// Whether it is apart from the content. If its name is for an object, an array of objects is a list, such as the
    /// `Shards` of Kinesis.
    private var isApart: Bool { name.holdsNoItems && !(name.isOfObject && hasObjects) }

    /// Whether it is an object, and not apart from the content.
    var mayHaveItems: Bool { value.kind == .object && !name.holdsNoItems }

    /// Whether its errors have an identity: the body or the object around them describes the list, or errors of one
    /// kind are named in it, as `import_errors` with `import_error_id`.
    func isListOfErrors(besideDescription describesList: Bool) -> Bool {
      guard let elements = value.elements else { return false }
      let identities = ListHint.nouns(of: name.text).map { $0 + "id" }
      return elements.allSatisfy { element in
        element.namedMembers.contains { name, _ in
          identities.contains(name.joined) && (self.name.words.count > 1 || describesList)
            || name.joined == "id" && describesList
        }
      }
    }

    /// Whether it is an array with values that are not messages.
    var isOtherArray: Bool {
      value.kind == .array && !isEmpty && !isApart && !value.isReport(named: name)
        && !value.mayBeReport(named: name)
    }

    var isEmpty: Bool { value.elements?.isEmpty == true }

    var hasObjects: Bool { value[at: "0"]?.kind == .object }

    var isNamedForLinks: Bool { name.joined.hasSuffix("links") && value.isArrayOfLinks }

    var isSignOfPages: Bool {
      ListSign(name.joined) != nil || name.isPageSize || ListHint(name.text) == .more
    }
  }
}

extension [PageStyle.Member] {
  /// Those that are not the links of another one, as OpenStack's `servers_links` are of `servers`.
  fileprivate var withoutLinksOfOthers: [Element] {
    guard contains(where: \.isNamedForLinks) else { return self }
    let names = Set(map(\.name.joined))
    return filter {
      !$0.isNamedForLinks || !names.contains(String($0.name.joined.dropLast("links".count)))
    }
  }

  /// Those that do not have links, if there are any.
  fileprivate var withoutLinks: [Element] {
    guard count > 1 else { return self }
    let others = filter { !$0.value.isArrayOfLinks }
    return others.isEmpty ? self : others
  }
}
