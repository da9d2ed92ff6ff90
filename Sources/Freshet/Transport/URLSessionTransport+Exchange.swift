#if canImport(Darwin)
  import Foundation

  extension URLSessionTransport {
    /// Sends one request and receives its response, redirects included as responses.
    func exchange(
      _ request: HTTPRequest, progress: @Sendable (TransferProgress) -> Void
    ) async throws(TransportError) -> HTTPResponse {
      guard !Task.isCancelled else { throw .cancelled(request) }
      let (events, continuation) = AsyncStream.makeStream(of: Event.self)
      let task = session.dataTask(with: URLRequest(request))
      task.delegate = TaskDelegate(continuation)
      continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
      // Events after the return are dropped, not kept.
      defer { continuation.finish() }
      var timer: Task<Void, Never>?
      defer { timer?.cancel() }
      task.resume()

      var assembly = ResponseAssembly(to: request)
      var moved = TransferProgress(toSend: request.body?.count ?? 0)
      do throws(TransportError) {
        for await event in events {
          switch event {
          case .sent(let count):
            moved.sent = min(count, request.body?.count ?? 0)
          case .head(let response):
            try assembly.receiveHead(of: response)
            timer = assembly.head?.bodyTimeout(configuration).map(continuation.timer)
          case .overdue:
            throw TransportError(
              .timedOut, "\(request.summary): the body did not arrive in time.")
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
        task.cancel()
        return try assembly.response(after: error)
      }
      throw .cancelled(request)
    }
  }

  extension AsyncStream<URLSessionTransport.Event>.Continuation {
    /// A task that yields ``URLSessionTransport/Event/overdue`` when a body is not waited for any more.
    fileprivate func timer(for duration: Duration) -> Task<Void, Never> {
      Task {
        try? await Task.sleep(for: duration)
        yield(.overdue)
      }
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
    }
  }
#endif
