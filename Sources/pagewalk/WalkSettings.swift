import Freshet

/// How the requests of a walk are made.
struct WalkSettings {
  private let options: Options
  private let secrets: Secrets
  private let meter: Meter
  private let onRetry: @MainActor @Sendable (Retry) -> Void
  private let onCacheFailure: @MainActor @Sendable () -> Void

  init(
    _ options: Options, secrets: Secrets, meter: Meter,
    onRetry: @escaping @MainActor @Sendable (Retry) -> Void,
    onCacheFailure: @escaping @MainActor @Sendable () -> Void = {}
  ) {
    self.options = options
    self.secrets = secrets
    self.meter = meter
    self.onRetry = onRetry
    self.onCacheFailure = onCacheFailure
  }

  func apply(to configuration: inout Service.Configuration) {
    configuration.headers = options.headers
    if configuration.headers["Accept"] == nil {
      configuration.headers["Accept"] = "application/json, */*;q=0.5"
    }
    if configuration.headers["User-Agent"] == nil {
      configuration.headers["User-Agent"] = "pagewalk/\(Pagewalk.version)"
    }
    configuration.timeout = options.timeout
    configuration.maximumResponseSize = options.maximumBytes
    configuration.retryPolicy = Service.RetryPolicy(
      maximumRetries: options.allowsRetries ? options.retries : 0,
      maximumRetryAfter: options.timeout,
      // As many for each request: one walk is no crowd of clients, and the option says how many.
      retryRatio: Double(options.retries),
      retryBurst: min(options.retries, 1 << 16) * min(options.concurrency, 1 << 16))
    configuration.decodeErrors { [secrets] input in
      guard let message = ServerMessage(input.response, hiding: secrets.addingThose(of: input))
      else { throw NoMessage() }
      return message
    }
    configuration.log = { [meter, onRetry, onCacheFailure] entry in
      switch entry.category {
      case .retry:
        let retry = Retry(of: meter.countRetry(), logged: entry)
        Task { @MainActor in onRetry(retry) }
      case .mislabeledContent, .doubtfulPage: meter.recordOddity(entry)
      case .cacheFailure:
        meter.recordCacheFailure(entry.message)
        Task { @MainActor in onCacheFailure() }
      default: break
      }
    }
  }

  private struct NoMessage: Error {}
}

extension PagedCollection.Options where Item == JSONText {
  /// The options of the collection of a walk.
  init(_ options: Options) {
    self.init()
    pageLimit = options.maximumPages
    itemLimit = .max
    emptyPageLimit = options.maximumEmptyPages
    requestBudget = .max
    concurrentLoads = options.concurrency
    allowedOrigins = options.allowedOrigins
    // The walk loads what it has invalidated, and stops if the user interrupts it.
    reloadsWhenInvalidated = false
    if let path = options.identity {
      identity = ItemIdentity { $0.identity(at: path) }
    }
  }
}

extension JSONText {
  /// The identity at a path, without insignificant differences; nil if there is none.
  func identity(at path: JSONPath) -> JSONText? {
    guard let value = self[at: path], value.kind != .null else { return nil }
    // A server may write the same string with and without escape sequences.
    return value.string.map(JSONText.init(string:)) ?? value.compact
  }
}
