import Foundation

/// The observable state of a resource.
extension AnyResource {
  /// Whether a load is in flight.
  public final var isLoading: Bool {
    access(.isLoading)
    return state.isLoading
  }
  /// The error of the newest completed load; nil after a success.
  ///
  /// The data of earlier loads stays. A cancelled load leaves the error as it is.
  public final var latestError: ResourceError? {
    access(.latestError)
    return state.error
  }
  /// Whether there is data.
  final var hasData: Bool { state.data != nil }
  /// The date at which the data was received, confirmed or written; nil without data.
  public final var timestamp: Date? {
    access(.details)
    return state.data?.timestamp
  }
  /// The URL that responded last, after redirects.
  final var responseURL: String? { state.data?.responseURL }
  /// When the data expires, on the service's monotonic clock; nil without data and after an
  /// invalidation.
  package final var freshUntil: Duration? {
    // First, or all of the state would be copied while the policy is looked up; see ``ResourceState/hasEdits``.
    let policy = policy(of: currentConfiguration)
    return state.freshUntil(policy)
  }

  /// Whether there is data and it is fresh.
  ///
  /// Fresh data is neither invalidated nor expired, and is the response to a request of the same user with the same
  /// values for the fields that its `Vary` names.
  ///
  /// Stale data is not up to date while it is confirmed, whatever the server allows; see
  /// ``mayUseStaleData``. A view that tracks it is notified of loads and invalidations, not when time passes.
  public final var isUpToDate: Bool {
    access(.freshness)
    return isFresh
  }

  /// The same, for the library itself.
  final var isFresh: Bool {
    guard let freshUntil else { return false }
    return store.clock.now < freshUntil
  }

  /// Whether the data is stale, but the server allows its use with `stale-while-revalidate` or `stale-if-error`, RFC
  /// 5861.
  ///
  /// The first is for the time of a load, the second for the time after a load that failed because the
  /// server could not be reached or responded with 500, 502, 503 or 504.
  ///
  /// A resource shows stale data in any case, loads when ``loadIfNeeded()`` is called, and keeps data and
  /// error side by side after a failure: these directives change none of that. So this is for a program
  /// that marks or hides stale data, or that proceeds only with what may be used. It is false for
  /// invalidated data, and if ``Service/Configuration/responseFreshness`` is nil.
  ///
  /// - Complexity: O(*f*) in the fields of the response.
  public final var mayUseStaleData: Bool {
    access(.freshness)
    access(.isLoading)
    access(.latestError)
    guard currentConfiguration.value.responseFreshness != nil, let freshUntil,
      let data = state.data
    else { return false }
    let staleTime = store.clock.now - freshUntil
    guard staleTime >= .zero else { return false }
    let freshness = HTTPFreshness(
      status: 200, headers: data.headers, responseDate: data.timestamp, responseDelay: .zero)
    return freshness.mayBeUsed(
      staleFor: staleTime, isConfirming: state.isLoading,
      hasFailed: state.error?.isFailureOfServer == true)
  }

  final func policy(of settings: ConfigurationVersion) -> ResourceState.Policy {
    .init(
      freshnessLifetime: settings.value.freshnessLifetime,
      failureCooldown: settings.value.failureCooldown, isOtherVariant: isOtherVariant)
  }
}
