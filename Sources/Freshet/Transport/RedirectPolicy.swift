import Foundation

/// Decides what follows a response with a redirect status, RFC 9110 section 15.4.
///
/// Foundation on Linux resolves relative locations wrongly, follows from `https` to `http`, and
/// sends every header to any host that the server names. So no redirect is left to it.
///
/// | status | method and body of the next request |
/// | --- | --- |
/// | 301, 302 | `POST` becomes `GET` without body, others stay |
/// | 303 | `GET` without body; `HEAD` stays `HEAD` |
/// | 307, 308 | both stay |
///
/// Within an origin all headers are kept, except those about a body or a condition that is not sent any more. To
/// another origin only ``HTTPHeaders/nonCredential`` ones are sent, and never a body: the caller chose the first
/// origin to read it. From `http` to `https` on one host stays within the origin, see
/// ``URIReference/isSameOrigin(_:as:)``. Links of pages
/// follow the same rule, see ``ResourceKey/destination(from:responseURL:)``. The `Retry-After` of a redirect, which
/// RFC 9110 section 10.2.3 allows, is ignored, as browsers do.
struct RedirectPolicy: Sendable {
  /// The most redirects that are followed for one request.
  let limit: Int

  /// How to handle a response.
  enum Decision {
    /// Return it to the caller: it is not a redirect, or one without a usable location.
    case deliver
    /// Send this request instead.
    case follow(HTTPRequest)
    /// Fail.
    case refuse(TransportError)
  }

  /// The statuses that a client may follow automatically. The others of the class, 300 and 304
  /// among them, are responses like any other.
  static let statuses: Set = [301, 302, 303, 307, 308]

  /// The header fields that describe a body and are removed with it.
  private static let bodyFields: HTTPFieldNames = [
    "Content-Digest", "Content-Encoding", "Content-Language", "Content-Location", "Content-MD5",
    "Content-Type", "Digest", "Last-Modified", "Repr-Digest",
  ]

  /// Decides about the response to a request that is itself the result of `followed` redirects.
  func decision(for response: HTTPResponse, to request: HTTPRequest, followed: Int) -> Decision {
    guard RedirectPolicy.statuses.contains(response.status),
      let location = RedirectPolicy.location(in: response.headers),
      let target = RedirectPolicy.resolve(location, against: request.url),
      target.host?.isEmpty == false || !target.isHTTP
    else { return .deliver }

    if let refusal = refusal(from: request.url, to: target) {
      return .refuse(refusal)
    }
    guard followed < limit else {
      return .refuse(
        TransportError(
          .tooManyRedirects,
          "\(request.summary): redirected more than \(limit) times; the server may be looping."))
    }
    var next = RedirectPolicy.redirected(request, to: target, by: response.status)
    if !URIReference.isSameOrigin(target.absoluteString, as: request.urlString) {
      guard next.body?.isEmpty ?? true else {
        return .refuse(
          TransportError(
            .redirectRefused,
            "\(request.summary): the server asks to send the body on to another origin, "
              + "\(Redaction.serverLocation(target.absoluteString)). Send the request there if that is meant."
          ))
      }
      next.headers = next.headers.keeping(HTTPHeaders.nonCredential)
    }
    return .follow(next)
  }

  /// Returns the request for the target of a redirect: a GET without the body after a 303, and after a POST
  /// with 301 or 302 (RFC 9110 section 15.4); otherwise the same request.
  private static func redirected(
    _ request: HTTPRequest, to target: URL, by status: Int
  ) -> HTTPRequest {
    var next = request
    next.url = target
    // That much of it was sent already.
    if next.holding == .all { next.holding = .others }
    let becomesGet =
      status == 303 && request.method != .head
      || [301, 302].contains(status) && request.method == .post
    guard becomesGet else { return next }
    next.method = .get
    next.body = nil
    next.headers = next.headers.removing(RedirectPolicy.bodyFields)
    // They are about what the request was to change, and not about what is read then.
    if request.method != .get {
      next.headers = next.headers.removing(HTTPValidators.conditions)
    }
    return next
  }

  /// The value of the `Location` field; nil if there is none, or several that differ: nothing says
  /// which one the server means.
  private static func location(in headers: HTTPHeaders) -> String? {
    let locations = headers.values(for: "Location")
    return locations.allSatisfy { $0 == locations.first } ? locations.first : nil
  }

  /// The URL of a `Location` field; nil if it has none. An empty one would be the same URL again,
  /// which its server cannot have meant; one with a control character in it leads nowhere.
  private static func resolve(_ location: String, against base: URL) -> URL? {
    guard !location.trimmingHTTPSpace.isEmpty, HTTPHeaders.isValidValue(location) else {
      return nil
    }
    return URIReference.resolve(location, against: base.absoluteString).flatMap { URL(string: $0) }
  }

  private func refusal(from source: URL, to target: URL) -> TransportError? {
    let reason: String
    if !target.isHTTP {
      reason = "the server redirects to a URL that is not http or https"
    } else if source.isSecure && !target.isSecure {
      reason =
        "the server redirects from https to http, \(Redaction.serverLocation(target.absoluteString))"
    } else if target.user != nil || target.password != nil {
      reason = "the server redirects to a URL with a user name or password"
    } else {
      return nil
    }
    return TransportError(
      .redirectRefused, "\(Redaction.serverLocation(source.absoluteString)): \(reason).")
  }
}

extension URL {
  fileprivate var isSecure: Bool { scheme?.lowercased() == "https" }
  fileprivate var isHTTP: Bool { isSecure || scheme?.lowercased() == "http" }
}
