import Foundation

/// One exchange with the server and all that belongs to it, off the store's actor: decoration,
/// authorization, the deadline, retries, status, transforms, decoding.
///
/// A `Sendable` value in, a `Sendable` value out.
struct Exchange<Content: Sendable>: Sendable {
  let key: ResourceKey
  let body: RequestBody?
  let decoder: ContentDecoder<Content>
  let settings: ConfigurationVersion
  let transport: any Transport
  let clock: any StoreClock
  /// Whether the URL belongs to the service, so that its credentials may go there.
  let isOwnOrigin: Bool
  /// Why nothing can be sent, if that is so.
  let unusable: UnusableURL?

  var configuration: Configuration { settings.value }

  /// What came of it.
  enum Outcome: Sendable {
    case newData(Fetched<Content>)
    /// `headers` are the stored ones, brought up to date by the 304.
    case notModified(HTTPHeaders, date: Date, lifetime: Duration?)
    case failure(ResourceError)
  }

  /// Sends the request and reads the answer. It never throws: every failure is an outcome.
  ///
  /// - Parameter stored: the headers of the content that is there, whose validators make the request
  ///   conditional; empty for none.
  @concurrent
  func run(
    stored: HTTPHeaders, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async -> Outcome {
    do {
      let started = clock.now
      let validators = HTTPValidators(stored)
      let request = try await makeRequest(validators: validators)
      var response = try await sendRepeatedly(request, progress: progress)
      if response.status == 304 {
        if !validators.isEmpty {
          let headers = stored.merging(notModified: response.headers)
          let confirmed = HTTPResponse(status: 200, headers: headers, url: response.url)
          return .notModified(
            headers, date: clock.date,
            lifetime: lifetime(of: confirmed, date: clock.date, delay: clock.now - started))
        }
        // What may have changed something is not sent a second time.
        if request.method.isSafe {
          response = try await sendRepeatedly(unconditional(request), progress: progress)
        }
        if response.status == 304 {
          throw failure(
            .notModifiedWithoutContent, response,
            "answers \"not modified\" (304) to an unconditional request")
        }
      }
      return .newData(
        try read(response, date: clock.date, delay: clock.now - started))
    } catch {
      return .failure(ResourceError(error, timestamp: clock.date))
    }
  }
}

/// Content from the persistent cache.
struct Restored<Content: Sendable>: Sendable {
  let entity: Entity<Content>
  /// How long ago the server sent or confirmed it.
  let age: Duration
  /// How long the server said that it stays fresh, where that counts.
  let lifetime: Duration?
}

/// Content that has just been read, and what is needed to keep it.
struct Fetched<Content: Sendable>: Sendable {
  let entity: Entity<Content>
  /// How long the server says that it stays fresh, where that counts.
  let lifetime: Duration?
  /// What to put into the persistent cache, where there is one and the server allows it.
  let entry: CachedEntry?
}
