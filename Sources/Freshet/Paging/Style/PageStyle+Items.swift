import Foundation

/// Finds the item array in a body.
extension PageStyle {
  /// The path of the item array and the array.
  func locateItems(in body: JSONText) throws(PageError) -> (JSONPath, JSONText) {
    guard let itemsPath else { return try PageStyle.findItems(in: body) }
    guard let array = body[at: itemsPath] else {
      guard mayLeaveOutItems(body) else { throw .noItems(at: itemsPath, nil) }
      return (itemsPath, .emptyArray)
    }
    switch array.kind {
    case .array: return (itemsPath, array)
    case .null: return (itemsPath, .emptyArray)  // how Go writes an empty list
    case let kind: throw .noItems(at: itemsPath, kind)
    }
  }

  /// Whether a body without an item array is an empty page of this style: it has the link, or no
  /// members.
  private func mayLeaveOutItems(_ body: JSONText) -> Bool {
    guard let path = linkPathOfItemlessBody, let members = body.members else { return false }
    return members.isEmpty || body[at: path] != nil
  }

  /// Looks for the item array: the body, or an array inside objects, the outermost first.
  ///
  /// On the outermost level that has any, an array with a usual name for lists is chosen, or else
  /// the only array of objects, or else the only array.
  private static func findItems(in body: JSONText) throws(PageError) -> (JSONPath, JSONText) {
    guard body.kind != .array else { return (.root, body) }
    var level: [(path: JSONPath, value: JSONText)] = [(.root, body)]
    // As deep as `data.repository.issues.nodes`, and one more.
    for _ in 0..<5 {
      let members = level.flatMap { path, value in
        (value.members ?? []).map { (path: path.appending($0.name), value: $0.value) }
      }
      let arrays = members.filter { $0.value.kind == .array && !isApart($0.path) }
      let preferences = [
        arrays.filter { isList($0.path) }, arrays.filter { $0.value[at: "0"]?.kind == .object },
        arrays,
      ]
      if let candidates = preferences.first(where: { !$0.isEmpty }) {
        return try onlyCandidate(candidates)
      }
      let nulls = members.filter { $0.value.kind == .null && isList($0.path) }
      if let null = nulls.first, nulls.count == 1 { return (null.path, .emptyArray) }
      level = members.filter { $0.value.kind == .object && !isApart($0.path) }
    }
    throw .noItems(at: nil, nil)
  }

  private static func onlyCandidate(
    _ candidates: [(path: JSONPath, value: JSONText)]
  ) throws(PageError) -> (JSONPath, JSONText) {
    // A GraphQL connection has its items twice: as nodes, and in edges.
    let nodes = candidates.filter { $0.path.names.last == "nodes" }
    let isConnection = candidates.allSatisfy {
      ["nodes", "edges"].contains($0.path.names.last)
        && $0.path.names.dropLast() == nodes.first?.path.names.dropLast()
    }
    let choice = isConnection && nodes.count == 1 ? nodes : candidates
    guard let first = choice.first, choice.count == 1 else {
      throw .ambiguousItems(candidates.map(\.path))
    }
    return first
  }

  /// Whether a member has a usual name for lists.
  private static func isList(_ path: JSONPath) -> Bool {
    [
      "items", "results", "data", "value", "values", "records", "rows", "hits", "nodes", "edges",
      "entries", "objects", "content", "features", "docs", "member", "hydra:member", "resources",
      "Items",
    ].contains(path.names.last)
  }

  /// Whether a member's name shows that it describes the page and is no content of it.
  private static func isApart(_ path: JSONPath) -> Bool {
    [
      "links", "_links", "link", "meta", "_meta", "errors", "extensions", "included", "page",
      "pageInfo", "paging", "pagination", "_shards", "aggregations", "facets",
    ].contains(path.names.last)
  }
}

extension JSONText {
  static let emptyArray = JSONText(valid: Data("[]".utf8))
}
