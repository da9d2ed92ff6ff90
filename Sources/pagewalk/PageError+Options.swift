import Freshet

extension PageError {
  /// What is wrong with a response, and the options that mend it.
  ///
  /// - Parameter sendsBody: whether the request has a JSON body, into which tokens go.
  func explanation(sendsBody: Bool) -> String {
    problem + (advice(sendsBody: sendsBody).map { ": " + $0 } ?? "")
  }

  /// The options that mend it, and what to do with them; nil if the server alone can do something.
  ///
  /// - Parameter sendsBody: whether the request has a JSON body, into which tokens go.
  func advice(sendsBody: Bool) -> String? {
    switch self {
    case .noItems(_?, nil): return remedy
    case .noItems, .ambiguousItems: return "give the path of the item array with --items PATH"
    case .unusableLink, .noLastItem: return "correct the path in --style, or choose another"
    case .partOfRange:
      return "choose another --style" + Self.perhaps(["offset=offset", "page=page"])
    case .otherPage: return "choose another --style"
    case .skippedPage(let parameter, let first):
      let style = PageStyle.pageNumber(parameter, startingAt: first)
      return "choose --style \(ShellWord.quoted(style.name))"
    case .unknownContinuation(let sign):
      let suggested = sign.suggestedStyles(sendsBody: sendsBody)
      let styles = Self.perhaps(suggested)
      // Nothing shows a page that was skipped.
      let isGuess = sign.counting == nil && suggested.contains("page=page")
      let first = isGuess ? " ('page=page,from 0' where the first page has the number 0)" : ""
      let place =
        if !sendsBody {
          ""
        } else if sign.isInConnection {
          sign.variables?.isEmpty ?? true ? " and 'after: $after' in the query" : ""
        } else {
          sign.isCounted ? Self.placeOfCount(styles) : ""
        }
      return
        "choose another --style\(styles)\(first)\(place), "
        + "or --style single if this is the whole list"
    case .lastItemNeeded(let parameter, let more):
      return
        "choose --style last=PATH,\(parameter),\(more) with the path of the identity in an item; "
        + Self.noWayBack
    default: return remedy
    }
  }

  private static func perhaps(_ styles: [String]) -> String {
    guard !styles.isEmpty else { return "" }
    return ", perhaps "
      + styles.map { "--style " + ShellWord.quoted($0) }.joined(separator: " or ")
  }

  /// Where a style counts for a request with a JSON body, to be said after the styles.
  static func placeOfCount(_ styles: String) -> String {
    (styles.isEmpty ? ", perhaps --style page=KEY or --style offset=KEY" : "")
      + ", which counts in --body if that has the number to start from"
  }
}

extension PageError.Continuation {
  /// Styles that may continue the list, as they are written on the command line; what cannot be guessed is
  /// in capital letters.
  ///
  /// - Parameter sendsBody: whether the request has a JSON body, into which tokens go.
  func suggestedStyles(sendsBody: Bool) -> [String] {
    let styles: [String]
    // Those of the query; nil where it has none.
    let named = variables.flatMap { $0.isEmpty ? nil : $0 }
    switch (kind, place, identity) {
    case (_, .member(let path), _) where sendsBody && isInConnection:
      let info = JSONPath(names: Array(path.names.dropLast()))
      let (cursor, more) = (info.appending("endCursor"), info.appending("hasNextPage"))
      styles = (named ?? ["after"]).map { "cursor=\(cursor),variables.\($0),\(more)" }
    case (.link, .headerField, _): styles = ["header=\(self)"]
    case (.link, .member, _): styles = ["url=\(self)"]
    case (.token, .headerField, _): styles = sendsBody ? [] : ["token=header \(self),\(parameter)"]
    case (.token, .member, _):
      // A body takes the whole object, unless that is one of a link.
      let isWhole = sendsBody && parameter != Self.unknownParameter
      let known = sendsBody ? named : nil
      let parent = variables == nil || !sendsBody ? "" : "variables."
      let path = isWhole ? nil : tokenName.map { "\(self).\($0),\(parent)\(known?.first ?? $0)" }
      // CloudWatch Logs, which sends the token of the last page again.
      let ending = isForwardToken ? ",until repeated" : more.map { ",\($0)" } ?? ""
      let names = known ?? [parameter] + otherParameters(sendsBody: sendsBody)
      styles = (path.map { [$0] } ?? names.map { "\(self),\(parent)\($0)" })
        .map { "\(sendsBody ? "cursor" : "token")=\($0)\(ending)" }
    case (.flag, .member(let path), let identity?) where counting == nil && !sendsBody:
      styles = ["starting_after", "after"].map { "last=\(identity),\($0),\(path)" }
    case (.pageCount, _, _), (.itemCount, _, _), (.flag, _, _):
      let usual = kind == .pageCount ? ["page=page"] : ["page=page", "offset=offset"]
      styles = counting.map { [$0.name] } ?? (sendsBody ? [] : usual)
    }
    // Names with commas are not written there, nor what a message would not show as it is.
    var seen: Set<String> = []
    return styles.filter {
      !description.contains(",") && $0.isStyle && seen.insert($0).inserted
    }
  }

  /// Whether a style that counts may continue the list.
  var isCounted: Bool {
    switch kind {
    case .pageCount, .itemCount, .flag: true
    case .link, .token: false
    }
  }

  /// Whether this is in the `pageInfo` of a GraphQL connection.
  var isInConnection: Bool {
    guard case .member(let path) = place else { return false }
    return ["endCursor", "hasNextPage"].contains(path.names.last)
      && path.names.dropLast().last == "pageInfo"
  }

  private var isForwardToken: Bool {
    guard case .member(let path) = place else { return false }
    return path.names.last == "nextForwardToken"
  }

  /// The parameter that a token is most often sent in: `pageToken` for `nextPageToken`, but `nextToken` under
  /// that name, as in the JSON APIs of AWS.
  private var parameter: String {
    let name =
      switch place {
      case .headerField(let name): Self.parametersOfFields[name.lowercased()] ?? name
      // OpenAI and CouchDB: what comes after the last item.
      case .member(let path)
      where ["last_id", "lastId", "last_seq", "last_key"].contains(path.names.last):
        "after"
      // Elasticsearch.
      case .member("hits.hits.-1.sort"): "search_after"
      case .member(let path): path.names.last ?? ""
      }
    if isForwardToken { return "nextToken" }
    let evaluated = "LastEvaluated"  // DynamoDB
    if name.hasPrefix(evaluated) { return "ExclusiveStart" + name.dropFirst(evaluated.count) }
    guard name.lowercased().filter(\.isLetter) != "nexttoken",
      let next = name.firstRange(of: /^.*?[Nn][Ee][Xx][Tt][-_]?/)
    else { return name }
    // Qdrant.
    if name == "next_page_offset" { return "offset" }
    let rest = name[next.upperBound...]
    if rest.isEmpty { return Self.unknownParameter }
    // `Marker` for `NextMarker`, as in the APIs of AWS.
    if name.hasPrefix("Next"), case .member = place { return String(rest) }
    return rest.prefix(1).lowercased() + rest.dropFirst()
  }

  private static let unknownParameter = "PARAM"

  /// The parameters of fields with a vendor's name: those of Coinbase, Azure DevOps and Nomad.
  private static let parametersOfFields = [
    "cb-after": "after", "x-ms-continuationtoken": "continuationToken",
    "x-nomad-nexttoken": "next_token",
  ]

  /// Other parameters that a token of that name is sent in: with Anthropic, X, Jira, Dynatrace and Quay.
  private func otherParameters(sendsBody: Bool) -> [String] {
    switch place {
    case .member(let path) where path.names.last == "last_id": ["after_id"]
    case .member("meta.next_token"): ["pagination_token"]
    case .member("nextPageToken") where sendsBody: ["nextPageToken"]
    case .member("nextPageKey"): ["nextPageKey"]
    case .member("next_page"): ["next_page"]
    default: []
    }
  }
}

extension String {
  /// Whether this is a style as it is written on the command line, and as a message shows it.
  var isStyle: Bool { excerpt == self && (try? PageStyle(parsing: self)) != nil }
}
