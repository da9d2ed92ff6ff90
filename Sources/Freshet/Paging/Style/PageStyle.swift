/// A description of how the pages of a list are read: where the items and the next link are, and what ends the list.
///
/// ```swift
/// PageStyle.linkHeader                                           // GitHub, GitLab, Mastodon
/// PageStyle.nextURL(at: "next").items(at: "results")             // Django REST framework
/// PageStyle.token(at: "nextPageToken", query: "pageToken")       // Google APIs
/// PageStyle.cursor(at: "LastEvaluatedKey", bodyKey: "ExclusiveStartKey").items(at: "Items")
/// ```
///
/// Each style defines exactly what ends a list. A value that is neither a link nor such an end is
/// an error: a list that cannot be walked any further is not treated as complete.
public struct PageStyle: Sendable {
  /// The rule by which the links are computed, also by whether the style was recognized.
  enum Rule: Sendable {
    /// The header fields and the number of items, without the body.
    case head(@Sendable (Head, _ isRecognized: Bool) throws -> Links)
    /// The body as well.
    case body(@Sendable (Response, _ isRecognized: Bool) throws -> Links)
    /// The style that is recognized in the response.
    case recognized
  }

  /// Where a page has its item array.
  enum ItemLocation: Sendable, Equatable {
    /// Not known: the array is searched for.
    case unknown
    /// At the path that the program has given.
    case given(JSONPath)
    /// At the path where it was found on the first page, beside members of those names: those in the object around
    /// it, where it was found as the only one that may be it; nil if it has a usual name for lists.
    case found(JSONPath, beside: Set<String>?)

    var path: JSONPath? {
      switch self {
      case .unknown: nil
      case .given(let path), .found(let path, _): path
      }
    }

    /// The same kind of location at another path, with nothing known of what is beside it.
    func moved(to path: JSONPath) -> ItemLocation {
      if case .given = self { .given(path) } else { .found(path, beside: nil) }
    }
  }

  /// The properties of a style.
  private struct Terms: Sendable {
    let form: Form
    /// Of the form, because each page asks for both.
    let isCounting: Bool
    let endsAtNotFound: Bool
    let rule: Rule
    var itemLocation = ItemLocation.unknown
    var alwaysHasItems = false
    var isRecognized = false
    var statedFirst: Int?

    init(_ form: Form, _ rule: Rule) {
      (self.form, self.rule) = (form, rule)
      endsAtNotFound = if case .pageNumber = form { true } else { false }
      isCounting = if case .offset = form { true } else { endsAtNotFound }
    }
  }

  /// One object, which the pages of a list share.
  private var box: ContentBox<Terms>

  init(_ form: Form, rule: Rule) {
    box = ContentBox(Terms(form, rule))
  }

  /// The name that distinguishes this style from others, such as `link` or `page=number`.
  public var name: String { form.name }

  /// Which style this is, with its values.
  package var form: Form { box.value.form }

  var rule: Rule { box.value.rule }

  /// Whether the client counts pages or items.
  package var isCounting: Bool { box.value.isCounting }

  /// Whether a token or an identity is sent.
  package var sendsToken: Bool { if case .token = form { true } else { false } }

  /// Whether it was made by ``custom(_:links:)``.
  var isCustom: Bool { if case .custom = form { true } else { false } }

  /// Whether this is ``auto``, with any item path.
  package var isAuto: Bool { if case .auto = form { true } else { false } }

  /// The path of the item array in the body; nil to search for it.
  public var itemsPath: JSONPath? { itemLocation.path }

  /// Where the item array is, and whether the program says so. Not compared by `==`, which compares the path.
  var itemLocation: ItemLocation { box.value.itemLocation }

  /// The text that distinguishes pages of this style from those of others: the name, and the item path if the
  /// program has given it. A path that was found is not part of it: the page on which it was found has none either.
  var identity: String {
    if case .given(let path) = itemLocation { "\(name) items=\(path)" } else { name }
  }

  /// Whether a 404 for a page after the first ends the list, as with page numbers.
  package var endsAtNotFound: Bool { box.value.endsAtNotFound }

  /// The path of the token in bodies that leave out an empty item array; nil if none may.
  var tokenPathOfItemlessBody: JSONPath? {
    guard case .token(.member(let path), _, _, _) = form, !box.value.alwaysHasItems else {
      return nil
    }
    return path
  }

  /// Returns the same style with the item array at a path of the body; `.root` is the body itself.
  ///
  /// Without a path, the item array is the body itself, or the second value of an array that consists of an object
  /// with a sign of pages and an array. Otherwise it is searched for, on the outermost level that has a candidate: a
  /// member with a usual name for lists (`items`, `results`, `data`, …), the only array of objects, or the only
  /// array, if there is no other list inside it. Reports of errors are not items.
  ///
  /// On later pages, the array has the same path. If its name is not a usual one, a new array of objects beside it or
  /// in its place is an error.
  ///
  /// Pages that were decoded with different paths are different resources.
  public func items(at path: JSONPath) -> PageStyle { items(.given(path)) }

  func items(_ location: ItemLocation) -> PageStyle {
    itemLocation == location ? self : changed { $0.itemLocation = location }
  }

  /// Whether it was recognized in a response, and not chosen by the program: then a list also ends at what servers
  /// write for no link or token, such as `false` or `"None"`. Not compared by `==`.
  var isRecognized: Bool { box.value.isRecognized }

  func recognized() -> PageStyle { changed { $0.isRecognized = true } }

  /// The number that the first page states, where the style begins with another one. Not compared by `==`.
  var statedFirst: Int? { box.value.statedFirst }

  /// The same style for a list whose first page states that number.
  func beginning(at stated: Int) -> PageStyle { changed { $0.statedFirst = stated } }

  /// The same style for a server that never leaves out the item array.
  package func requiringItems() -> PageStyle {
    changed { $0.alwaysHasItems = true }
  }

  private func changed(_ change: (inout Terms) -> Void) -> PageStyle {
    var terms = box.value
    change(&terms)
    var style = self
    style.box = ContentBox(terms)
    return style
  }

  /// Returns a custom style, whose closures find the links.
  ///
  /// ```swift
  /// let style = PageStyle.custom("after last id") { response in
  ///   guard let id = response.items.last?["id"]?.string else { return .init() }
  ///   return .init(next: PageLink(.query("after", id)))
  /// }
  /// ```
  ///
  /// The links may depend on any header field. If the header fields of a 304 differ from those of the page, the page
  /// is requested once more, without conditions, because a 304 has no body to compute the links from. Fields that are
  /// not about the list are ignored, such as `Date`, `ETag`, `Cache-Control`, `Set-Cookie`, or an identifier of the
  /// request. If a header field has the link, use ``header(_:)`` or ``token(inHeader:query:untilRepeated:)``, which
  /// need no such request.
  ///
  /// - Parameters:
  ///   - name: the name that distinguishes the style from others: pages that were decoded with
  ///     styles of different names are different resources.
  ///   - links: computes the links of a page. It runs off the store's actor, once for each response. If it throws
  ///     an error, the load fails.
  public static func custom(
    _ name: String, links: @escaping @Sendable (Response) throws -> Links
  ) -> PageStyle {
    PageStyle(.custom(name), rule: .body { response, _ in try links(response) })
  }
}

extension PageStyle: Hashable {
  /// Whether two styles are of the same kind, with the same values and item path.
  ///
  /// Closures cannot be compared: different custom styles need different names.
  public static func == (left: PageStyle, right: PageStyle) -> Bool {
    left.box === right.box || (left.form == right.form && left.itemsPath == right.itemsPath)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(form)
    hasher.combine(itemsPath)
  }
}

extension PageStyle: CustomStringConvertible {
  /// The name and the item path.
  public var description: String {
    itemsPath.map { "\(name) items=\($0)" } ?? name
  }
}
