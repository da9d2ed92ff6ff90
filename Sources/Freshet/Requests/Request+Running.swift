extension Request {
  /// Does work for this request away from the store's actor, and takes its result in on it.
  ///
  /// - Parameters:
  ///   - away: the work; it is given where to report progress, and cancelled with the request.
  ///   - back: takes in the result, unless the request has ended or gone by then.
  func run<Value: Sendable>(
    _ away:
      @escaping @Sendable @concurrent (
        _ report: @escaping @Sendable (TransferProgress) -> Void
      ) async -> Value,
    back: @escaping (_ request: Request, _ value: Value) -> Void
  ) {
    let (reports, reporter) = AsyncStream<TransferProgress>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    self.reports = reports
    self.reporter = reporter
    task = scope.isolation.launch {
      await away { reporter.yield($0) }
    } back: { [weak self] value in
      guard let self, !isCompleted else { return }
      back(self, value)
    }
  }
}
