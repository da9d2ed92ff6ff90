import Foundation

/// Header fields that describe a list.
extension ListDescription {
  /// The header field that indicates more items and is not recognized as a style, such as `X-Next-Page: 2`.
  var continuationField: PageError.Continuation? {
    signs { field, sign in
      switch sign {
      case .next: field.value.isEmptyToken ? nil : field.value.isReference ? .link : .token
      case .position:
        parameters.mayPrecede(field.value, named: MemberName(field.name)) ? .token : nil
      default: field.isFlag(sign, ofMore: true) ? .flag : nil
      }
    } ?? (hasNullLink ? nil : signOfFieldList)
  }

  /// Whether a header field says, by itself or by its lack of a link, that there are no more items.
  var hasEndingField: Bool {
    signs { field, sign in
      let isEnd =
        switch sign {
        case .next: field.value.isEmptyToken
        case .position: field.value.isEmpty
        default: field.isFlag(sign, ofMore: false)
        }
      return isEnd ? .flag : nil
    } != nil
  }

  /// The header field that counts more items than the page has, or more pages.
  var surplusField: PageError.Continuation? {
    signs { field, sign in
      guard let number = Int(wireCount: field.value) else { return nil }
      return switch sign {
      case .pageCount: number > 1 ? .pageCount : nil
      case .totalCount: number > head.itemCount ? .itemCount : nil
      case .next, .position, .hasMore, .isLast: nil
      }
    }
  }

  /// The first sign of more that one of the header fields is, by its usual name or by the words of another.
  private func signs(
    _ kind: (HTTPHeaders.Field, ListSign) -> PageError.Continuation.Kind?
  ) -> PageError.Continuation? {
    for field in head.headers.fields {
      if let sign = ListSign(field: field.name) ?? ListSign(wordsOfField: field.name),
        let kind = kind(field, sign)
      {
        return PageError.Continuation(at: .headerField(field.name), kind)
      }
    }
    return nil
  }

  /// The sign of more items that a header field with an object has. What it holds has no path in the body.
  private var signOfFieldList: PageError.Continuation? {
    guard let (name, list) = fieldLists.first, let sign = list.signOfMore else { return nil }
    let isCount = [.pageCount, .itemCount].contains(sign.kind)
    var field = PageError.Continuation(at: .headerField(name), isCount ? sign.kind : .flag)
    field.counting = list.countingStyle
    return field
  }

  /// What the first header field with an object says of the list, `X-Pagination: {"HasNext":true}` as with ASP.NET,
  /// with the request and the links of this one.
  static func fieldLists(in head: PageStyle.Head) -> [(name: String, list: ListDescription)] {
    for field in head.headers.fields
    where field.value.utf8.first == UInt8(ascii: "{")
      && ["pagination", "xpagination"].contains(field.name.withoutSeparators)
    {
      guard let object = try? JSONText(parsing: Data(field.value.utf8)) else { continue }
      let links = HTTPHeaders(head.headers.fields.filter { $0.name.asciiLowercased == "link" })
      let linkHead = PageStyle.Head(
        request: head.request, url: head.url, headers: links, itemCount: head.itemCount,
        status: head.status)
      let response = PageStyle.Response(
        head: linkHead, body: object, itemArray: .emptyArray, itemPath: .root, frame: object)
      return [(field.name, ListDescription(linkHead, response))]
    }
    return []
  }
}

extension HTTPHeaders.Field {
  /// Whether this says as a flag that there are more items, or that there are not. A number is something else.
  fileprivate func isFlag(_ sign: ListSign, ofMore isMore: Bool) -> Bool {
    let text = JSONText(string: value)
    guard text.isTrue || text.isFalse else { return false }
    let joined = name.withoutSeparators
    return sign.isFlag(
      MemberName(ListSign.mayBeNumbers.first(where: joined.hasSuffix) ?? joined),
      JSONText(valid: Data("\(text.isTrue)".utf8)), ofMore: isMore)
  }
}
