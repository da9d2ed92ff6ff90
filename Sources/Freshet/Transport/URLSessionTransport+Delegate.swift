#if canImport(Darwin)
  import Foundation

  extension URLSessionTransport {
    /// The events of one exchange, in order; `finished` comes last.
    ///
    /// The head is an event only of an error or a redirect, whose body is not waited for long: otherwise it can be
    /// read from the task when any part of the body has arrived, and waking up for it alone costs a short
    /// exchange a tenth of its time.
    enum Event: Sendable {
      case sent(Int)
      case head(URLResponse)
      /// The body of a redirect or an error has not arrived in time.
      case overdue
      case body(Data)
      case finished(URLResponse?, (any Error)?)
    }

    /// Turns the callbacks of one task into a stream of events. It has no mutable state.
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
        if let status = (response as? HTTPURLResponse)?.statusCode, status >= 300, status != 304 {
          events.yield(.head(response))
        }
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
        completionHandler(nil)
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
      ) {
        events.yield(.finished(task.response, error))
      }
    }
  }

  extension ResponseAssembly {
    /// Receives the head, unless it is known already or has not arrived.
    mutating func receiveHead(of response: URLResponse?) throws(TransportError) {
      guard head == nil, let response = response as? HTTPURLResponse else { return }
      try receive(Head(response))
    }
  }

  extension ResponseAssembly.Head {
    /// The head as Foundation returns it: repeated fields joined with a comma, the order lost.
    ///
    /// The fields are sorted by name, so that equal responses are equal values.
    fileprivate init(_ response: HTTPURLResponse) {
      let fields = response.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
        guard let name = name as? String, let value = value as? String else { return nil }
        return HTTPHeaders.Field(name: name, value: value)
      }
      self.init(
        status: response.statusCode, headers: HTTPHeaders(fields.sorted { $0.name < $1.name }),
        url: response.url)
    }
  }
#endif
