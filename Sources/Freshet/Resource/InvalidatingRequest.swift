/// A request with an unsafe method. Its success, by the status of a first response, makes what is stored of that
/// URL invalid, RFC 9111 section 4.4, except for resources that adopt its content.
final class InvalidatingRequest: RequestedLoad {
  private weak var request: AnyRequest?
  private weak var resource: AnyResource?
  /// Holds the resource, which the program need not, while the request does not end; if there is no
  /// service any more, only the program does.
  private let held: AnyResource?
  /// Whether an earlier attempt has succeeded so, though not as a whole.
  private var hasSucceeded = false

  init(_ request: AnyRequest, of resource: AnyResource) {
    self.request = request
    self.resource = resource
    held = resource.isKnownToService ? resource : nil
  }

  var isWanted: Bool { false }

  func retries(after error: ResourceError) {
    hasSucceeded = hasSucceeded || LoadOutcome.failure(error).isSuccessOfServer
  }

  func received(_ outcome: LoadOutcome) {
    guard hasSucceeded || outcome.isSuccessOfServer else { return }
    if case .success = outcome.result { invalidate(isContent: true) } else { invalidate() }
  }

  func cancelled() {
    if hasSucceeded { invalidate() }
  }

  func waits() {}

  /// - Parameter isContent: whether the outcome is content, which the resources that load from the request adopt.
  private func invalidate(isContent: Bool = false) {
    guard let request, let resource else { return }
    let store = resource.store
    var all = store.registry?.all.filter { $0.key.url == resource.key.url } ?? []
    if !resource.isKnownToService { all.append(resource) }
    let adopters = isContent ? all.filter { $0.isLoading(from: request) } : []
    let others = all.filter { other in
      other.key.method.isSafe && !adopters.contains { $0 === other }
    }
    // Resources of other types have the same entries: these are replaced, and not by an older response to a load
    // of those.
    let replaced = adopters.map(\.key).filter { key in
      !others.contains { $0.key == key && $0.state.isLoading }
    }
    store.queue.together {
      for other in others {
        if !replaced.contains(other.key) { other.forgetEntries() }
        other.invalidate()
      }
    }
  }
}

extension LoadOutcome {
  /// Whether the server may have carried out the request, even if its response cannot be read: a
  /// redirect is a success, wherever it leads. One that keeps the method (307, 308) only asks for another request, but
  /// which kind it was is not known here, and invalidating too much costs one load at most. So it is with a timeout.
  fileprivate var isSuccessOfServer: Bool {
    switch self {
    case .newData, .notModified: true
    case .failure(let error):
      error.kind == .redirect || error.kind == .timeout || error.isRedirected
        || error.status.map((200..<400).contains) == true
    }
  }
}

extension AnyResource {
  /// Whether there is a service that finds this resource.
  fileprivate final var isKnownToService: Bool { isRegistered && store.registry != nil }
}
