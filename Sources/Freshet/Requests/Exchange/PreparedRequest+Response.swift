/// A response, seen without what decorations and the authorization have changed in the request.
extension Exchange.PreparedRequest {
  /// The URL to which it is sent.
  private var sentAddress: URLText {
    switch stage {
    case .sendingAuthorized(let authorized, _): authorized.address
    default: request.address
    }
  }

  /// The name of a field that decorations have changed, and by which a response varies; nil for none.
  func varyingField(of headers: HTTPHeaders) -> String? {
    guard let decoration, !decoration.fields.isEmpty else { return nil }
    let name = HTTPVariant.names(in: headers).intersection(decoration.fields).min()
    return name.map { name in
      request.headers.fields.first { $0.name.asciiLowercased == name }?.name ?? name
    }
  }

  /// Whether a response depends on what decorations have changed.
  ///
  /// Which representation another request gets is not known before that is decorated: the response is not reused, as
  /// with `Vary: *`.
  func isVaryingResponse(_ headers: HTTPHeaders) -> Bool {
    varyingField(of: headers) != nil
  }

  /// The response as one to the request before authorization: credentials in its URL must not be
  /// remembered, used as base of links, or cached.
  ///
  /// A redirect may have kept them: also of its URL, the query parameters that were added are left out.
  func response(_ received: consuming HTTPResponse) -> HTTPResponse {
    // Here, where both URLs are as they were sent: a decoration that has changed another part is not undone.
    let isRedirected = !URIReference.isSameURL(received.address.text, as: sentAddress.text)
    if !isRedirected, decoration?.undecoratedAddress == nil, case .sending = stage {
      return received
    }
    return undone(received, isRedirected: isRedirected)
  }

  /// The response without what decorating and authorizing have added to the URL.
  private func undone(_ received: consuming HTTPResponse, isRedirected: Bool) -> HTTPResponse {
    received.isRedirected = isRedirected
    let (sent, plain) = (sentAddress, decoration?.undecoratedAddress ?? request.address)
    guard sent != plain else { return received }
    let address = received.address == sent ? request.address : received.address
    let text = URIQuery.undoing(from: plain.text, to: sent.text, in: address.text)
    received.address = URLText(text) ?? plain
    return received
  }
}
