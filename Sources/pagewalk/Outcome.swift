import Freshet

/// How a walk ended: a pure value.
struct Outcome: Equatable {
  /// Why a walk is incomplete, in the words of `--summary`.
  enum Reason: String {
    case loop, crossOrigin, insecure, maxPages, transport, timeout, http, decoding, tooLarge
    case redirect, rateLimited, cancelled
  }

  enum Status: Equatable {
    case complete
    case limit
    case incomplete(Reason)
  }

  var status: Status
  /// What stopped an incomplete walk, where, and what to do.
  var explanation: String?

  static let interrupted = Outcome(
    status: .incomplete(.cancelled), explanation: "interrupted; run it again to walk the whole list"
  )

  /// Reads the end of a walk off its collection.
  ///
  /// - Parameter limit: how many items were asked for; nil for all.
  init(of state: PagedCollectionState, itemCount: Int, limit: Int?, timeout: Duration) {
    if let limit, itemCount >= limit {
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
        status: .incomplete(Reason(error)),
        explanation: "page \(page + 1): \(Outcome.explain(error, timeout: timeout))")
    case .incomplete(let walk):
      self.init(
        status: .incomplete(Reason(walk.reason)),
        explanation: "\(walk)\(Outcome.advice(walk.reason))")
    }
  }

  /// Whether the pages that are there may well be had again.
  var allowsRefresh: Bool {
    switch status {
    case .complete, .limit: true
    case .incomplete(let reason): [.loop, .crossOrigin, .insecure, .maxPages].contains(reason)
    }
  }

  private init(status: Status, explanation: String? = nil) {
    self.status = status
    self.explanation = explanation
  }

  private static func explain(_ error: ResourceError, timeout: Duration) -> String {
    switch (error.kind, error.status) {
    case (.timeout, _):
      "the server did not answer completely within \(timeout); raise --timeout"
    case (.rateLimited, _):
      "\(error.message) Run it again then, or raise --timeout and --retries to have it waited for"
    case (.http, 401?), (.http, 403?):
      "\(error.message) Check the credentials: --header 'Authorization: …'"
    case (.http, let status?) where status == 408 || status >= 500:
      "\(error.message) Try again later, or raise --retries"
    case (.http, 405?):
      "\(error.message) Check --method"
    case (.http, _):
      "\(error.message) Check the URL and the options"
    case (.badResponse, 206?):
      "\(error.message) Check the request headers"
    case (.tooLarge, _):
      "the answer has more than \(HTTPRequest.defaultMaximumResponseSize) bytes; ask for smaller pages"
    case (.redirect, _):
      "\(error.message) Give the URL that it leads to, if that is to be trusted"
    default:
      error.message
    }
  }

  private static func advice(_ reason: IncompleteWalk.Reason) -> String {
    switch reason {
    case .crossOrigin(let origin): " (--allow-origin \(origin))"
    case .pageLimit: " (--max-pages)"
    case .itemLimit, .requestBudget: ""
    case .loop: "; check --style"
    case .insecure, .unusableLink: ""
    }
  }
}

extension Outcome.Reason {
  init(_ error: ResourceError) {
    self =
      switch error.kind {
      case .cancelled: .cancelled
      case .timeout: .timeout
      case .invalidRequest, .unreachable, .connectionLost, .insecureConnection: .transport
      // A part of an answer is an answer, if not a page.
      case .badResponse: error.status == nil ? .transport : .decoding
      case .redirect: .redirect
      case .tooLarge: .tooLarge
      case .http, .notModifiedWithoutContent, .authorization: .http
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
      // Of the last two there is none here: both are unlimited.
      case .pageLimit, .itemLimit, .requestBudget: .maxPages
      }
  }
}

/// The last line of standard error with `--summary`.
struct Summary {
  var outcome: Outcome
  var pages: Int
  var items: Int
  var duplicates: Int
  var counts: Meter.Counts
  var elapsed: Duration

  /// One JSON object, its members in the order that scripts depend on.
  var json: String {
    let (status, reason) =
      switch outcome.status {
      case .complete: ("complete", "null")
      case .limit: ("limit", "null")
      case .incomplete(let reason): ("incomplete", "\"\(reason.rawValue)\"")
      }
    let milliseconds = elapsed / .milliseconds(1)
    return #"{"status":"\#(status)","reason":\#(reason),"pages":\#(pages),"items":\#(items),"#
      + #""duplicates":\#(duplicates),"requests":\#(counts.requests),"notModified":\#(counts.notModified),"#
      + #""retries":\#(counts.retries),"seconds":\#(milliseconds.rounded() / 1000)}"#
  }
}
