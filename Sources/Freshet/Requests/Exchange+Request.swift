import Foundation

/// Making the request of key and configuration.
extension Exchange {
  func makeRequest(validators: HTTPValidators) async throws(ResourceError) -> HTTPRequest {
    if let unusable { throw unusable.reason.error(at: clock.date) }
    guard let url = URL(string: key.url) else {
      throw UnusableURL(key.url, "it is not a valid URL").error(at: clock.date)
    }
    let headers = configuration.headers
    var request = HTTPRequest(
      method: key.method, url: url,
      headers: isOwnOrigin ? headers : headers.keeping(HTTPHeaders.harmless),
      maximumResponseSize: configuration.maximumResponseSize)
    if let accept = decoder.accept, request.headers["Accept"] == nil {
      request.headers.append(accept)
    }
    for field in key.headers.fields { request.headers[field.name] = field.value }
    if !validators.isEmpty { request.headers = validators.conditioning(request.headers) }
    do {
      if let body {
        request.body = try body.encode()
        request.headers["Content-Type"] = body.contentType
      } else if let body = key.body {
        request.body = body
        request.headers["Content-Type"] = request.headers["Content-Type"] ?? "application/json"
      }
      for decorate in configuration.decorations { request = try await decorate(request) }
    } catch let error as ResourceError {
      throw error
    } catch let error as EncodingError {
      throw ResourceError(
        .invalidRequest, "\(place): the body cannot be encoded: \(error).", underlying: error,
        timestamp: clock.date)
    } catch {
      throw failedToMake(.invalidRequest, "could not be made", error)
    }
    return request
  }

  /// The same request, asking caches on the way not to answer it with another 304.
  func unconditional(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.headers = request.headers.removing(["If-None-Match", "If-Modified-Since"])
    request.headers["Cache-Control"] = "no-cache"
    return request
  }
}
