/// Where a list's items are in a response, where the link to the next page is, and what ends the
/// list.
///
/// ```swift
/// PageStyle.linkHeader                                           // GitHub, GitLab, Mastodon
/// PageStyle.nextURL(at: "next").items(at: "results")             // Django REST framework
/// PageStyle.token(at: "nextPageToken", query: "pageToken")       // Google APIs
/// PageStyle.cursor(at: "LastEvaluatedKey", bodyKey: "ExclusiveStartKey").items(at: "Items")
/// ```
///
/// Each style says what exactly ends a list. What is neither a link nor one of those ends is an
/// error: a list that cannot be walked any further is not taken for one that is complete.
public struct PageStyle: Sendable {
  /// What the links are computed from.
  enum Rule: Sendable {
    /// The header fields and the number of items: the body is not looked at.
    case head(@Sendable (Head) throws -> Links)
    /// The body as well.
    case body(@Sendable (Response) throws -> Links)
    /// Whatever is recognized in the response.
    case recognized
  }

  /// What a style says.
  private struct Terms: Sendable {
    let name: String
    let rule: Rule
    let endsAtNotFound: Bool
    var itemsPath: JSONPath?
    var linkPathOfItemlessBody: JSONPath?
  }

  /// In an object, because every page has a style, and most pages of a list have the same.
  private var box: ContentBox<Terms>

  init(
    name: String, rule: Rule, endsAtNotFound: Bool = false, linkPathOfItemlessBody: JSONPath? = nil
  ) {
    box = ContentBox(
      Terms(
        name: name, rule: rule, endsAtNotFound: endsAtNotFound,
        linkPathOfItemlessBody: linkPathOfItemlessBody))
  }

  /// What distinguishes this style from others: for most styles the text that names them to
  /// `pagewalk --style`.
  public var name: String { box.value.name }
  var rule: Rule { box.value.rule }

  /// Whether this is ``auto``, wherever the items are.
  ///
  /// A page that was loaded and has such a style is a single page in which nothing was recognized: a list
  /// that is complete as far as can be known.
  public var isAuto: Bool {
    if case .recognized = rule { true } else { false }
  }

  /// Where the item array is in the body; nil where it is looked for.
  public var itemsPath: JSONPath? { box.value.itemsPath }

  /// Whether 404 for a page after the first ends the list, as with page numbers that are counted
  /// until there is no such page.
  public var endsAtNotFound: Bool { box.value.endsAtNotFound }

  /// Where the link is in bodies that leave out an empty item array; nil where none may be missing.
  var linkPathOfItemlessBody: JSONPath? { box.value.linkPathOfItemlessBody }

  /// The same style with the item array at a path of the body; `.root` is the body itself.
  ///
  /// Without it the array is looked for: the body itself, a member with a name that lists usually
  /// have (`items`, `results`, `data`, …), or the only member that holds an array of objects.
  public func items(at path: JSONPath) -> PageStyle {
    itemsPath == path ? self : changed { $0.itemsPath = path }
  }

  /// The same style for a server that never leaves out the item array.
  package func requiringItems() -> PageStyle {
    changed { $0.linkPathOfItemlessBody = nil }
  }

  private func changed(_ change: (inout Terms) -> Void) -> PageStyle {
    var terms = box.value
    change(&terms)
    var style = self
    style.box = ContentBox(terms)
    return style
  }

  /// A style of your own.
  ///
  /// ```swift
  /// let style = PageStyle.custom("after last id") { response in
  ///   guard let id = response.items.last?["id"]?.string else { return .init() }
  ///   return .init(next: PageLink(.query("after", id)))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: what distinguishes the style from others: pages that were decoded with styles of
  ///     different names are different resources.
  ///   - links: computes the links of a page. It runs off the store's actor, once for each response,
  ///     and fails the load with what it throws.
  public static func custom(
    _ name: String, links: @escaping @Sendable (Response) throws -> Links
  ) -> PageStyle {
    PageStyle(name: "custom=" + name, rule: .body(links))
  }
}

extension PageStyle: Hashable {
  /// Whether two styles have the same name and item path. Closures cannot be compared: styles of
  /// your own that do different things need different names.
  public static func == (left: PageStyle, right: PageStyle) -> Bool {
    left.box === right.box || (left.name == right.name && left.itemsPath == right.itemsPath)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(itemsPath)
  }
}

extension PageStyle: CustomStringConvertible {
  /// The name and the item path: what is part of a page's identity.
  public var description: String {
    itemsPath.map { "\(name) items=\($0)" } ?? name
  }
}
