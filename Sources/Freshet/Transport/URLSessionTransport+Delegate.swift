import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionTransport {
  /// What happens during one exchange, in order; `finished` comes last.
  enum Event: Sendable {
    case sent(Int)
    case head(ResponseAssembly.Head)
    case body(Data)
    case finished((any Error)?)
  }

  /// Turns the callbacks of one task into a stream of events. It holds nothing that changes.
  final class TaskDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let events: AsyncStream<Event>.Continuation

    init(_ events: AsyncStream<Event>.Continuation) {
      self.events = events
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
      totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
      events.yield(.sent(Int(clamping: totalBytesSent)))
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      yieldHead(response)
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      events.yield(.body(data))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      #if canImport(FoundationNetworking)
        // The answer is complete by now. The handler is not called: it ends the process when the
        // task was cancelled in the meantime.
        finish(task, with: response)
      #else
        completionHandler(nil)
      #endif
    }

    #if canImport(FoundationNetworking)
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
          @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
      ) {
        // Only a complete 401 leads here. Every disposition loses it, waits for ever or ends the
        // process (swift-corelibs-foundation #5456), so none is given.
        finish(task, with: nil)
      }

      private func finish(_ task: URLSessionTask, with response: URLResponse?) {
        if let response { yieldHead(response) }
        events.yield(.finished(nil))
        task.cancelSoon()
      }
    #endif

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      events.yield(.finished(error))
      events.finish()
    }

    private func yieldHead(_ response: URLResponse) {
      guard let response = response as? HTTPURLResponse else { return }
      events.yield(.head(ResponseAssembly.Head(response)))
    }
  }
}

extension ResponseAssembly.Head {
  /// The head as Foundation gives it: repeated fields joined with a comma, the order lost.
  ///
  /// The fields are sorted by name, so that equal answers are equal values.
  init(_ response: HTTPURLResponse) {
    let fields = response.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
      guard let name = name as? String, let value = value as? String else { return nil }
      return HTTPHeaders.Field(name: name, value: value)
    }
    self.init(
      status: response.statusCode, headers: HTTPHeaders(fields.sorted { $0.name < $1.name }),
      url: response.url)
  }
}
