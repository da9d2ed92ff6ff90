import Foundation
import Freshet

/// How a walk ended: a pure value.
struct Outcome: Equatable {
  /// Why a walk is incomplete, in the words of `--summary`.
  enum Reason: String {
    case loop, crossOrigin, insecure, maxPages, transport, timeout, http, decoding, tooLarge
    case redirect, rateLimited, cancelled
  }

  enum Status: Equatable, CustomStringConvertible {
    case complete
    case limit
    case incomplete(Reason)

    var description: String {
      switch self {
      case .complete: "complete"
      case .limit: "stopped at --limit"
      case .incomplete(let reason): "incomplete (\(reason.rawValue))"
      }
    }
  }

  var status: Status
  /// The reason why an incomplete walk stopped, the place, and the advice.
  var explanation: String?
  /// A server's request to wait.
  struct Wait: Equatable {
    /// What has failed, without what to do.
    let problem: String
    /// The date that the server has named.
    let end: Date
  }

  /// What the server has asked for by the failure, if it has named a time.
  var wait: Wait?
  /// Whether the user stopped the program, which does not make the list less complete.
  var isInterrupted = false

  /// The outcome of a walk that the user stopped.
  static let interrupted = Outcome(
    status: .incomplete(.cancelled),
    explanation: "interrupted; run it again to walk the whole list", isInterrupted: true)

  /// The outcome of a walk along page numbers, offsets or tokens that the server ignores.
  ///
  /// - Parameter sendsBody: whether the request has a JSON body, which may be where the server expects the number.
  static func repetition(_ copy: Repetition.Copy, sendsBody: Bool) -> Outcome {
    if copy.isEnd { return Outcome(status: .complete) }
    let reason =
      if copy.style.sendsToken {
        "ignored what --style \(ShellWord.quoted(copy.style.name)) sends; name the parameter that the server "
          + "expects in place of the last one"
      } else if copy.isAfterOthers {
        "had no page of that number and sent its last one; the list may be whole, and --style single reads "
          + "one page of it"
      } else {
        "ignored the parameter of --style; correct --style"
          + (sendsBody ? ", or put the number to start from into --body to count there" : "")
      }
    return Outcome(
      status: .incomplete(.loop),
      explanation: "page \(copy.page + 1): it has the same items as the "
        + "\(copy.count == 1 ? "page" : "two pages") before it, as if the server \(reason)")
  }

  /// The outcome of a walk in which so many pages, up to one, have only items of earlier pages.
  static func withoutNewItems(upTo page: Int, count number: Int) -> Outcome {
    let last = page + 1
    let pages = number > 1 ? "pages \(last + 1 - number) to \(last) have" : "page \(last) has"
    return Outcome(
      status: .incomplete(.loop),
      explanation: "\(pages) only items of earlier pages, as if the list had begun again; "
        + "check --style, or raise --max-empty-pages")
  }

  /// The outcome of a walk that ended at its first page, if items certainly follow that; nil if none may.
  static func beforeEnd(_ page: Page<JSONText>) -> Outcome? {
    guard let (end, counting, isBeforeEnd) = page.presumption, isBeforeEnd,
      case .count(let number, let location) = end
    else { return nil }
    let style = counting.map { ", perhaps --style " + ShellWord.quoted($0.name) } ?? ""
    return Outcome(
      status: .incomplete(.decoding),
      explanation: "page 1: the response has no sign of a next page, although "
        + "'\(location.excerpt)' is \(number): choose another --style\(style), "
        + "or --style single if this is the whole list")
  }

  /// Determines the outcome from the collection.
  ///
  /// - Parameters:
  ///   - refresh: the state of the last refresh: one that failed, or could not reach all pages, is incomplete,
  ///     whatever was loaded before it.
  ///   - isConfirmed: whether the server has sent or confirmed the items up to the limit: pages of a cache
  ///     are not the list before it has.
  ///   - style: the style of the pages, if it was recognized.
  ///   - origin: the origin of the first page, which alone receives credentials; nil if it is not known.
  ///   - options: the options of the walk.
  init(
    of state: PagedCollectionState, refresh: PagedCollectionState = .idle, itemCount: Int,
    isConfirmed: Bool = true, style: PageStyle? = nil, origin: String? = nil, options: Options
  ) {
    if case .failed(let error, let page) = refresh {
      self.init(
        failedWith: error, page: page, style: style ?? options.style, origin: origin,
        options: options)
      return
    }
    if case .incomplete(let walk) = refresh {
      self.init(unfinished: walk, style ?? options.style)
      return
    }
    if let limit = options.limit, itemCount >= limit, isConfirmed {
      if itemCount == limit, case .ended = state {
        self.init(status: .complete)
      } else {
        self.init(status: .limit)
      }
      return
    }
    switch state {
    case .ended:
      self.init(status: .complete)
    case .idle, .loading, .waiting:
      self = .interrupted
    case .failed(let error, let page):
      self.init(
        failedWith: error, page: page, style: style ?? options.style, origin: origin,
        options: options)
    case .incomplete(let walk):
      self.init(unfinished: walk, style ?? options.style)
    }
  }

  private init(unfinished walk: IncompleteWalk, _ style: PageStyle) {
    self.init(
      status: .incomplete(Reason(walk.reason)),
      explanation: walk.description(firstPage: 1) + Outcome.advice(walk, style))
  }

  /// Whether a refresh is likely to reach the pages that were loaded.
  var allowsRefresh: Bool {
    switch status {
    case .complete, .limit: true
    case .incomplete(let reason): [.loop, .crossOrigin, .insecure, .maxPages].contains(reason)
    }
  }

  private init(
    status: Status, explanation: String? = nil, wait: Wait? = nil, isInterrupted: Bool = false
  ) {
    self.status = status
    self.explanation = explanation
    self.wait = wait
    self.isInterrupted = isInterrupted
  }

  private init(
    failedWith error: ResourceError, page: Int, style: PageStyle, origin: String?,
    options: Options
  ) {
    let explanation = Outcome.explain(
      error, isLater: page > 0, mayEnd: page > 0 && style.endsAtNotFound, origin: origin, options)
    let problem = Outcome.problem(error).replacing(Outcome.timeOfRetry, with: "")
    self.init(
      status: .incomplete(Reason(error, timeout: options.timeout)),
      explanation: "page \(page + 1): \(explanation)",
      wait: error.retryDate.map { Wait(problem: "page \(page + 1): \(problem)", end: $0) })
  }

  /// What happened, and the message of the server.
  private static func problem(_ error: ResourceError) -> String {
    let said = (error.decodedBody as? ServerMessage).map { "; the server says: \"\($0.text)\"" }
    var message = withoutPeriod(roundingSeconds(in: error.message))
    if error.asksForLongWait, let date = error.retryDate {
      // Days are not counted in seconds.
      message.replace(timeOfRetry, with: "; retry after \(dateText(date, now: error.timestamp))")
    }
    return message + (said ?? "")
  }

  /// When to retry, as a message says it.
  private static var timeOfRetry: Regex<Substring> {
    /; retry (?:in [0-9.]+ s|after [-0-9]+ [0-9:]+)/
  }

  /// What happened, the message of the server, and what to do.
  ///
  /// - Parameters:
  ///   - isLater: whether a link or a style has led to the page.
  ///   - mayEnd: whether a page that does not exist ends the list, if the one before counts none.
  ///   - origin: the origin of the first page; nil if it is not known.
  private static func explain(
    _ error: ResourceError, isLater: Bool, mayEnd: Bool, origin: String?, _ options: Options
  ) -> String {
    let raisingRetries = options.allowsRetries && error.isTransient ? ", or raise --retries" : ""
    let what = problem(error)
    return switch (error.kind, error.status) {
    case (.timeout, _):
      // The next refresh of a watch requests it again.
      "\(firstSentence(what)); raise --timeout"
        + (options.watchInterval == nil ? " (a timeout is not retried)" : "")
    case (.rateLimited, _) where (error.retryAfter ?? .zero) == .zero:
      "\(what). Run it again later\(raisingRetries)"
    case (.rateLimited, _),
      (.http, _) where Reason(error, timeout: options.timeout) == .rateLimited:
      "\(what). Run it again then\(explainWait(error, options))"
    case (.http, 401?), (.http, 403?):
      error.isFromOtherOrigin(than: origin)
        ? "\(what). Credentials are not sent to an origin other than that of the first page: "
          + "give a URL of that origin, if it is to be trusted with them"
        : "\(what). Check the credentials: --header 'Authorization: …'"
    case (.http, 511?):
      "\(what). The network demands a sign-in: do that in a browser, and run it again"
    case (.http, let status?)
    where [408, 425].contains(status) || status >= 500 && ![501, 505].contains(status):
      "\(what). Run it again later\(raisingRetries)"
    case (.http, 405?) where isLater && !options.method.isSafe:
      "\(what). The link to this page may be for GET: walk the rest from that link"
    case (.http, 405?):
      "\(what). Check --method"
    case (.http, 407?):
      "\(what). Set them in the URL of the proxy, in the environment"
    case (.http, 404?) where mayEnd:
      "\(what), although the page before it counts more. Run it again, or check --style"
    case (.http, _):
      "\(what). Check the URL and the options"
    case (.badResponse, 206?):
      // PostgREST responds so to `Prefer: count=exact`.
      ["Range", "Prefer"].first { options.headers[$0] != nil }.map {
        "\(what). Remove the header \($0)"
      }
        ?? "\(what), without a Range of the request. That is a fault of the server"
    case (.tooLarge, _):
      "\(firstSentence(what)); ask for smaller pages, or raise --max-bytes"
    case (.insecureConnection, _)
    where [.untrustedCertificate, .other, nil].contains(error.underlying as? TLSFailure):
      "\(what). If its certificate is from an authority of your own, name that with --cacert"
    case (.notModifiedWithoutContent, _):
      explainNotModified(what, options)
    case (.redirect, _?):
      "\(what). Check the URL"
    case (.redirect, nil):
      "\(what). Give the URL that it leads to, if that is to be trusted"
    default:
      (error.underlying as? PageError).map { explain($0, in: error.message, options) } ?? what
    }
  }

  /// Which options have the time waited for that the server has named, if there are any.
  private static func explainWait(_ error: ResourceError, _ options: Options) -> String {
    guard options.allowsRetries, error.isTransient, !error.asksForLongWait else { return "" }
    let isTooLong = error.retryAfter ?? .zero > options.timeout
    var names = isTooLong ? ["--timeout"] : []
    if options.retries == 0 || !isTooLong { names.append("--retries") }
    return ", or raise \(names.joined(separator: " and ")) to have it waited for"
  }

  /// A message about a 304 to a request without content to confirm: the user may have asked about some.
  private static func explainNotModified(_ what: String, _ options: Options) -> String {
    let condition = ["If-None-Match", "If-Modified-Since"].first { options.headers[$0] != nil }
    guard let condition else { return "\(what). That is a fault of the server" }
    return what.replacing(" to an unconditional request", with: "")
      + ". Remove the header \(condition); --cache sends its own"
  }

  /// A message about a response that is not a page, with the options of the command in place of what a program
  /// would have to change.
  private static func explain(
    _ error: PageError, in message: String, _ options: Options
  ) -> String {
    // The message ends with the description, after the request.
    let request = message.firstRange(of: error.description).map { message[..<$0.lowerBound] }
    return (request ?? "") + error.explanation(sendsBody: options.body != nil)
  }

  private static func advice(_ walk: IncompleteWalk, _ style: PageStyle) -> String {
    switch walk.reason {
    case .crossOrigin(let origin): " (--allow-origin \(origin))"
    case .pageLimit: " (--max-pages)"
    case .emptyPages: " (--max-empty-pages)"
    case .itemLimit, .requestBudget: ""
    case .loop(let page): adviceOnLoop(isOfOnePage: page == walk.page, style)
    case .insecure, .unusableLink: ""
    }
  }

  /// What to do about a link that leads back to a page of the list.
  ///
  /// - Parameter isOfOnePage: whether a page leads to itself, as the last one of CloudWatch and Solr does.
  private static func adviceOnLoop(isOfOnePage: Bool, _ style: PageStyle) -> String {
    guard isOfOnePage, let argument = style.form.endingWhenRepeated?.argument else {
      return "; check --style"
    }
    return "; if that is the end of the list, --style \(ShellWord.quoted(argument))"
  }
}

extension ResourceError {
  /// Whether the server asks to wait for more than a day.
  fileprivate var asksForLongWait: Bool { retryAfter ?? .zero > .seconds(86_400) }

  /// Whether the response is of another origin, also one that a redirect has led to; false if either is not known.
  fileprivate func isFromOtherOrigin(than origin: String?) -> Bool {
    guard let origin, let url else { return false }
    return !URIReference.isSameOrigin(url, as: origin)
  }
}

extension Outcome.Reason {
  /// The reason for which a walk is incomplete that has failed with an error.
  ///
  /// - Parameter timeout: the deadline of a request: a server that asks for a longer wait limits the rate,
  ///   whatever its status.
  init(_ error: ResourceError, timeout: Duration) {
    self =
      switch error.kind {
      case .cancelled: .cancelled
      case .timeout: .timeout
      case .invalidRequest, .unreachable, .connectionLost, .insecureConnection: .transport
      // A part of a response is a response, although not a page.
      case .badResponse: error.status == nil ? .transport : .decoding
      case .redirect: .redirect
      case .tooLarge: .tooLarge
      case .http: error.retryAfter.map { $0 > timeout } ?? false ? .rateLimited : .http
      case .notModifiedWithoutContent, .authorization: .http
      case .rateLimited: .rateLimited
      case .contentType, .decoding: .decoding
      }
  }

  init(_ reason: IncompleteWalk.Reason) {
    self =
      switch reason {
      case .loop: .loop
      case .crossOrigin, .unusableLink(.bodyCrossesOrigin): .crossOrigin
      case .insecure: .insecure
      case .unusableLink: .decoding
      // The last two do not occur here: both are unlimited.
      case .pageLimit, .emptyPages, .itemLimit, .requestBudget: .maxPages
      }
  }
}

/// The first sentence of a message, without its period, to be continued.
func firstSentence(_ message: String) -> String {
  withoutPeriod(String(message[..<(message.range(of: ". ")?.lowerBound ?? message.endIndex)]))
}

/// A sentence without its period, to be continued.
func withoutPeriod(_ sentence: String) -> String {
  sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
}
