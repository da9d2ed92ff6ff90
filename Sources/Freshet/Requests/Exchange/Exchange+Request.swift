import Foundation

/// Makes the request from key and configuration.
extension Exchange {
  /// The request to send, before authorization.
  func decoratedRequest(of attempt: Attempt) async throws(ResourceError) -> HTTPRequest {
    var request = try plainRequest(of: attempt)
    do {
      for decorate in settings.value.decorations { request = try await decorate(request) }
    } catch {
      throw unmade(error)
    }
    return request
  }

  /// The request without decorations.
  func plainRequest(of attempt: Attempt) throws(ResourceError) -> HTTPRequest {
    if let unusable { throw unusable.error(at: clock.date) }
    guard let url = URL(string: key.url) else {
      throw UnusableURL(key.url, "it is not a valid URL").error(at: clock.date)
    }
    return HTTPRequest(
      method: key.method, url: url, headers: headers(of: attempt), body: try encodedBody(),
      maximumResponseSize: settings.value.maximumResponseSize)
  }

  private func encodedBody() throws(ResourceError) -> Data? {
    guard let body else { return key.body }
    do {
      return try body.encode()
    } catch {
      throw unmade(error)
    }
  }

  private func headers(of attempt: Attempt) -> HTTPHeaders {
    var headers = headers()
    if attempt.isReload, settings.value.responseFreshness != nil,
      headers.first("Cache-Control") == nil
    {
      headers.append("max-age=0", for: "Cache-Control")
    }
    let validators = HTTPValidators(attempt.stored)
    return validators.isEmpty ? headers : validators.conditioning(headers)
  }

  /// The fields that the request has whatever content is known.
  func headers() -> HTTPHeaders {
    var headers = settings.value.headers
    if !headers.fields.isEmpty, !isOwnOrigin {
      headers = headers.keeping(HTTPHeaders.nonCredential)
    }
    if let accept = decoder.accept, headers["Accept"] == nil { headers.append(accept) }
    for field in key.headers.fields { headers[field.name] = field.value }
    if let body {
      headers["Content-Type"] = body.contentType
    } else if key.body != nil, headers["Content-Type"] == nil {
      headers["Content-Type"] = "application/json"
    }
    return headers
  }

  /// An error that the body or a decoration has thrown, as an error of this exchange.
  private func unmade(_ error: any Error) -> ResourceError {
    switch error {
    case let error as ResourceError: error
    case let error as EncodingError:
      ResourceError(
        .invalidRequest,
        "\(location): the body cannot be encoded: \(Redaction.nature(of: error)).",
        underlying: error, timestamp: clock.date)
    default: failedToMake(.invalidRequest, "could not be made", error)
    }
  }
}

extension UnusableURL {
  /// The error of every load. User name, password and query of the URL stay out of the message.
  func error(at date: Date) -> ResourceError {
    ResourceError(
      .invalidRequest,
      "The URL \"\(Redaction.originAndPath(of: url))\" cannot be used: \(reason).", timestamp: date)
  }
}
