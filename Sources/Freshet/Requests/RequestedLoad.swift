/// A load that receives the outcome of a request.
protocol RequestedLoad: AnyObject {
  /// The request has ended with new content, a confirmation or an error.
  func received(_ outcome: LoadOutcome)
  /// The request has ended without an outcome.
  func cancelled()
  /// A wait before another attempt has begun or ended.
  func waits()
}
