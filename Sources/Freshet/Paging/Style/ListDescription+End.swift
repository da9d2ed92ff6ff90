extension ListDescription.Member {
  /// Whether this is an empty array that is named for nothing beside a list.
  fileprivate var mayHaveHadItems: Bool {
    value.kind == .array && value[at: "0"] == nil
      && !name.isBesideLists && !name.holdsNoItems && !value.mayBeReport(named: name)
      && !name.joined.hasSuffix("links") && name.joined != "tags"
  }

  /// Whether this is the link of the object that it is in, and has no others: `"link": {"rel": "self", "href": "/a"}`,
  /// as with Bamboo.
  fileprivate var isOwnLink: Bool {
    name.joined == "link" && value["href"]?.kind == .string && value["rel"]?.kind == .string
  }
}

extension Sequence<ListDescription.Member> {
  /// Whether the member that would hold the URL of the next page is null.
  var haveNullLink: Bool {
    contains { member in
      let name = member.name.joined
      return (ListSign.linkNames.contains(name) || ["next", "nextpage"].contains(name))
        && member.value.linkValue?.kind == .null
    }
  }
}

/// Signs that the page is the whole list.
extension ListDescription {
  /// Whether the member that would hold the URL of the next page is null: that ends the list, whatever the server
  /// counts, and whichever page it links as the last one.
  var hasNullLink: Bool { pageMembers.haveNullLink }

  /// Why a page in which nothing was recognized may not be the whole list that it is taken for; nil where
  /// the response says that it is.
  var presumedEnd: PresumedEnd? {
    if head.itemCount == 0 { return otherList }
    guard !linksPages, head.isEndOfRange != true else { return nil }
    let total = locatedTotal
    let countsAll = total.map { $0.isExact && $0.number <= head.itemCount } ?? false
    if countsAll && !mayCountPage || total != nil && hasNullLink { return nil }
    if let fieldList = fieldLists.first, fieldList.list.presumedEnd == nil { return nil }
    let isEnd =
      end != nil || linksFirstOrLast || hasEndingField || !numberings.isEmpty
      || response?.endsByConvention(parameters.body) == true
    if mayCountPage { return isEnd ? nil : .object }
    if let (number, location, isExact) = total ?? locatedSurplus {
      // A request for a later part may have the end of a longer list.
      let isEnd = parameters.start > .first && (isEnd || isExact && reaches(number))
      return isEnd ? nil : .count(number, at: location)
    }
    let isShort = !isRound && parameters.requestMore(than: head.itemCount)
    if isEnd || isShort { return nil }
    guard let response, response.body.kind == .object else { return .bareArray }
    let isWhole = listMembers.contains { member in
      member.likelyTotal.map { (1...head.itemCount).contains($0) } ?? false
        || statesLargerSize(member)
    }
    return isWhole ? nil : .object
  }

  /// Whether the number of items may be the most that the server sends.
  private var isRound: Bool { head.itemCount >= 10 && head.itemCount.isMultiple(of: 5) }

  /// Whether the total may be the number of items on the page, which it is with some servers, because the page has
  /// as many as were requested, or as the server may send.
  private var mayCountPage: Bool {
    guard let response, response.countsPage,
      locatedTotal.map({ $0.number <= head.itemCount }) ?? true,
      !parameters.requestMore(than: head.itemCount),
      !listMembers.contains(where: statesLargerSize)
    else { return false }
    return isRound || parameters.requestMore(than: head.itemCount - 1)
      || listMembers.contains {
        $0.name.isPageSize && $0.value.statedCount == head.itemCount
      }
  }

  /// Whether the first or the last page is linked: beside these there would be a link to the next one, unless something
  /// counts more items.
  private var linksFirstOrLast: Bool {
    listMembers.contains {
      ["first", "last"].contains($0.name.joined) && $0.value.linkValue?.string?.isReference == true
    }
  }

  /// The number of items in the whole list under a usual name, where it is, and whether it is not a lower bound.
  private var locatedTotal: (number: Int, location: String, isExact: Bool)? {
    if let (total, field) = head.statedTotal { return (total, field, true) }
    return statedTotal.map { ($0.total, $0.path.names.joined(separator: "."), !$0.isLowerBound) }
  }

  /// The number under any other name for it, where it is larger than that of the items, and where it is.
  private var locatedSurplus: (number: Int, location: String, isExact: Bool)? {
    listMembers.lazy.compactMap { member in
      (surplusCount(member) ?? member.likelyTotal).map { ($0, member.location, true) }
    }.first { $0.0 > head.itemCount }
  }

  /// Whether a later page ends with the last of that many items.
  private func reaches(_ total: Int) -> Bool {
    let offset = pageMembers.first { $0.name.isOffset }.flatMap { member in
      member.value.statedCount.map { (member.name, $0) }
    }
    return parameters.reaches(
      total, count: head.itemCount, size: statedSize, offset: offset,
      isStartAtOffset: response?.isOfJira == true)
  }

  /// Whether the page is certainly before the last of the items that an end is presumed in spite of.
  func isBeforeEnd(_ end: PresumedEnd) -> Bool {
    guard case .count(let total, _) = end, parameters.start > .first, !hasNullLink else {
      return false
    }
    return parameters.isBeforeEnd(of: total, count: head.itemCount, size: statedSize)
  }

  /// The size of a page that the response has, where the page has fewer items.
  private var statedSize: Int? {
    listMembers.first { statesLargerSize($0) }?.value.statedCount
  }

  /// The array of objects beside an empty list under a usual name, where nothing says that there are no items.
  private var otherList: PresumedEnd? {
    guard let response, !response.endsByConvention(parameters.body),
      !listMembers.contains(where: { $0.value.statedCount == 0 })
    else { return nil }
    return memberBesideItems { $0.value.mayHaveItems(named: $0.name) }
      .map { .empty(response.itemPath, beside: $0.path) }
  }

  /// The empty array beside the items, if these are under no usual name and nothing counts as many: that may be the
  /// list, for example if a server has one array for each of several things.
  var otherEmptyList: PresumedEnd? {
    guard let response, head.itemCount > 0, response.namesBesideItems != nil,
      head.totalCount != head.itemCount,
      !listMembers.contains(where: {
        ($0.countsItems || $0.hint == .count) && $0.value.statedCount == head.itemCount
      })
    else { return nil }
    // The items are left out of the description.
    return memberBesideItems { $0.mayHaveHadItems && $0.path != response.itemPath }
      .map { .found(response.itemPath, besideEmpty: $0.path) }
  }

  /// The first member of the object with the item array that is named for nothing and satisfies a condition.
  private func memberBesideItems(where isWanted: (Member) -> Bool) -> Member? {
    let parent = response?.itemPath.names.dropLast()
    return objects.lazy.flatMap(\.members).first {
      $0.objectPath.names[...] == parent && isWanted($0) && ObjectRole($0.name) == .unknown
    }
  }

  /// What ``PageStyle/auto`` sees of more items, if the chosen style, of this form, has found no next page.
  func overlooked(by form: PageStyle.Form) -> PresumedEnd? {
    guard !parameters.mayContinue else { return nil }
    do throws(PageError) {
      guard let style = try PageStyle.recognize(self), style.form != form else { return nil }
      return .overlooked(style.name, isStyle: true)
    } catch .unknownContinuation(let sign) {
      return .overlooked("\(sign)", isStyle: false)
    } catch .lastItemNeeded(_, let more) {
      return .overlooked("\(more)", isStyle: false)
    } catch {
      return nil
    }
  }

  /// Whether a member is the size of a page, and the page has fewer items. A `size` or `rows` may be the
  /// total.
  private func statesLargerSize(_ member: Member) -> Bool {
    member.name.isPageSize && !["size", "rows"].contains(member.name.joined)
      && member.value.statedCount ?? 0 > head.itemCount
  }

  /// The member that says, by itself or by its lack of a link, that there are no more items.
  var end: Member? {
    pageMembers.flag(ofMore: false)
      ?? listMembers.first { member in
        let value = member.value
        switch member.sign {
        case .next, .hasMore: return !member.isContinuation
        case .position:
          // An offset may be that of the request, which has none.
          return !member.name.isOffset && (value.kind == .null || value.string?.isEmpty == true)
        default: break
        }
        if member.hint == .more { return !member.isContinuation }
        if member.hint == .flag { return value.isFalse }
        if member.isNamedForLinks {
          return [.object, .array].contains(value.kind) && member.likelyNext == nil
            && !member.isOwnLink
        }
        // `"paging": {"cursors": {}}` has `next` unless the list ends.
        return ["paging", "pagination", "pages"].contains(member.name.joined)
          && (value.members?.isEmpty == true || value["cursors"] != nil)
      }
  }
}
