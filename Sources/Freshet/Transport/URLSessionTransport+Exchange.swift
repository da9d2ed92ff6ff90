import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionTransport {
  /// The session whose connections the request may use.
  private func session(for request: HTTPRequest) -> URLSession {
    #if canImport(FoundationNetworking)
      if request.mustNotBeResent && !configuration.reusesConnectionsForUploads {
        return .freshet(configuration)
      }
    #endif
    return session
  }

  /// Sends one request and receives its response, redirects included as responses.
  func exchange(
    _ request: HTTPRequest, progress: @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> HTTPResponse {
    guard !Task.isCancelled else { throw .cancelled(request) }
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let session = session(for: request)
    defer { if session !== self.session { session.finishTasksAndInvalidate() } }
    let task = session.dataTask(with: URLRequest(request))
    task.delegate = TaskDelegate(continuation)
    continuation.onTermination = { if case .cancelled = $0 { task.cancelSoon() } }
    // Events after the return are dropped, not kept.
    defer { continuation.finish() }
    task.resume()

    var assembly = ResponseAssembly(to: request)
    var moved = TransferProgress(toSend: request.body?.count ?? 0)
    do throws(TransportError) {
      for await event in events {
        switch event {
        case .sent(let count):
          moved.sent = min(count, request.body?.count ?? 0)
        case .body(let piece):
          try assembly.receiveHead(of: task.response)
          try assembly.receive(piece)
          moved.received = assembly.body.count
          moved.toReceive = assembly.expectedLength
        case .finished(let response, let error):
          try assembly.receiveHead(of: response)
          if let error {
            throw TransportError(error, request: request, head: assembly.head)
          }
          let response = try assembly.finish()
          moved.sent = request.body?.count ?? 0
          moved.toReceive = moved.received
          progress(moved)
          return response
        }
        progress(moved)
      }
    } catch {
      task.cancelSoon()
      throw error
    }
    throw .cancelled(request)
  }
}

extension URLSessionTask {
  /// Cancels on another thread: on Linux `cancel()` waits while any response is being parsed.
  func cancelSoon() {
    DispatchQueue.global().async { self.cancel() }
  }
}

extension HTTPRequest {
  /// Whether sending it twice may differ from sending it once, or is impossible.
  fileprivate var mustNotBeResent: Bool {
    !(body?.isEmpty ?? true) || !(method.isSafe || method == .put || method == .delete)
  }
}

extension URLRequest {
  /// The request as URLSession takes it: lines of one name joined with a comma.
  fileprivate init(_ request: HTTPRequest) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    timeoutInterval = URLSessionTransport.idleTimeout
    httpShouldHandleCookies = false
    for field in request.headers.fields {
      setValue(request.headers[field.name], forHTTPHeaderField: field.name)
    }
    guard let body = request.body, !body.isEmpty else { return }
    httpBody = body
    // For a body without a type, the system sends that of a form. RFC 9110 section 8.3 lets
    // recipients assume this one.
    if request.headers["Content-Type"] == nil {
      setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    }
  }
}
