#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  extension URLSessionTransport {
    /// Runs each callback where Foundation on Linux delivers it: on the queue that parses.
    ///
    /// An ordinary queue falls without bound further and further back when a server is fast, and a
    /// cancellation waits until all queued callbacks have run. The callbacks here only pass values
    /// on, so they may run in the parser. (The conformance repeats that of `OperationQueue`, as it
    /// must; no shared state is added.)
    final class CallbackQueue: OperationQueue, @unchecked Sendable {
      override func addOperation(_ callback: @escaping @Sendable () -> Void) {
        callback()
      }
    }

    /// Forwards each callback to the delegate of its task.
    ///
    /// Foundation on Linux keeps `URLSessionTask.delegate`, but calls only the session's.
    final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
      func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
      ) {
        delegate(of: task)?.urlSession(
          session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
          totalBytesExpectedToSend: totalBytesExpectedToSend)
      }

      func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        delegate(of: dataTask)?.urlSession(session, dataTask: dataTask, didReceive: data)
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
      ) {
        delegate(of: task)?.urlSession(
          session, task: task, willPerformHTTPRedirection: response, newRequest: request,
          completionHandler: completionHandler)
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
          @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
      ) {
        delegate(of: task)?.urlSession(
          session, task: task, didReceive: challenge, completionHandler: completionHandler)
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
      ) {
        delegate(of: task)?.urlSession(session, task: task, didCompleteWithError: error)
      }

      private func delegate(of task: URLSessionTask) -> TaskDelegate? {
        task.delegate as? TaskDelegate
      }
    }
  }
#endif
