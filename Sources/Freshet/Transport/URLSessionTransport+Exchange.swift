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

      var reception = Reception(of: request)
      do throws(TransportError) {
        for await event in events {
          let response = try reception.receive(event, of: task)
          if case .head = event {
            timer = reception.bodyTimeout(configuration).map(continuation.timer)
          }
          progress(reception.moved)
          if let response { return response }
        }
      } catch {
        task.cancel()
        return try reception.response(after: error)
      }
      throw .cancelled(request)
    }
  }

  /// The response of one task, as far as it was received, and the progress of the exchange.
  private struct Reception {
    private let request: HTTPRequest
    private var assembly: ResponseAssembly
    private(set) var moved: TransferProgress

    init(of request: HTTPRequest) {
      self.request = request
      assembly = ResponseAssembly(to: request)
      moved = TransferProgress(bytesExpectedToSend: request.body?.count ?? 0)
    }

    /// Receives an event; returns the response once it is complete.
    mutating func receive(
      _ event: URLSessionTransport.Event, of task: URLSessionTask
    ) throws(TransportError) -> HTTPResponse? {
      switch event {
      case .sent(let count):
        moved.bytesSent = min(count, request.body?.count ?? 0)
      case .head(let response):
        try assembly.receiveHead(of: response)
      case .overdue:
        throw TransportError(.timedOut, "\(request.summary): the body did not arrive in time.")
      case .body(let piece):
        try assembly.receiveHead(of: task.response)
        try assembly.receive(piece)
        moved.bytesReceived = assembly.body.count
        moved.bytesExpectedToReceive = assembly.expectedLength
      case .finished(let response, let error):
        try assembly.receiveHead(of: response)
        if let error { throw TransportError(error, request: request, head: assembly.head) }
        return try finish()
      }
      return nil
    }

    private mutating func finish() throws(TransportError) -> HTTPResponse {
      let response = try assembly.finish()
      moved.bytesSent = request.body?.count ?? 0
      moved.bytesExpectedToReceive = moved.bytesReceived
      return response
    }

    /// How long the body is waited for; nil for as long as the request may take.
    func bodyTimeout(_ configuration: TransportConfiguration) -> Duration? {
      assembly.head?.bodyTimeout(configuration)
    }

    /// The response that was received before an error, if that is no reason not to use it.
    func response(after error: TransportError) throws(TransportError) -> HTTPResponse {
      try assembly.response(after: error)
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
