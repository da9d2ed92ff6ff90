import Foundation

/// The state that all parts of one service share: their actor, their event queue, their transport.
///
/// Resources hold the store, and the store does not hold them; the ``Service`` holds the registry,
/// which does. So a resource works for as long as it is held, with or without its service, and
/// dropping both frees everything.
final class Store {
  let base: BaseURL
  let clock: any StoreClock
  let queue = EventQueue()
  /// The parts that requests need, which do not keep the store alive.
  let scope: RequestScope
  private(set) weak var registry: Registry?
  /// The requests that began after the service was deallocated.
  private let running = RunningRequests()
  /// The decoders of content types for which none is named: few.
  private var standardDecoders: [AnyDecoder] = []

  private var newestEdit: EditID = 0
  /// The edits that are being applied to resources here.
  let appliedEdits = AppliedEdits()
  /// The lists of resources here.
  private(set) var lists = ReloadableLists()
  /// What of them and of the resources waits to be loaded again.
  let reloads: ReloadQueue
  /// The number that the next load of any resource gets.
  private(set) var nextLoad: ResourceState.LoadID = 1

  /// Counts changes of the configuration; what was derived from an older one is derived again.
  private(set) var configurationVersion = 0
  private var rules: [ConfigurationRule] = []
  private var configurations: [[Int]: ConfigurationVersion] = [:]
  /// That of every request, once it is made, where no rule has a condition: saves 2 % of a new page.
  private var commonConfiguration: ConfigurationVersion?
  /// The persistent caches that resources had or that were emptied, also those whose rules were removed: their
  /// entries are on disk, and a wipe removes them.
  private(set) var usedCaches: [ObjectIdentifier: any EntityCache] = [:]
  /// Whether any rule names headers that select content; without one, keys need no configuration.
  private(set) var mayVary = false

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - registry: that of the service, with the resources.
  ///   - inService: what holds the requests that begin while the service exists.
  init(
    base: BaseURL, transport: any Transport, clock: any StoreClock, isolation: StoreIsolation,
    registry: Registry, running inService: RunningRequests? = nil
  ) {
    self.base = base
    self.registry = registry
    self.clock = clock
    reloads = ReloadQueue(after: queue, isolation: isolation)
    scope = RequestScope(
      queue: queue, isolation: isolation,
      context: ExchangeContext(transport: transport, clock: clock, base: base),
      running: (inService, running))
  }
}

extension Store {
  /// Counts a load that has begun, or a change that is newer than all loads, with the number that was the next.
  func countLoad() { nextLoad += 1 }

  /// The decoder that a resource of this type has when none is named. Made once: saves half of `walk.recipe`.
  func standardDecoder<Content: Decodable & Sendable>() -> ContentDecoder<Content> {
    let type = ObjectIdentifier(Content.self)
    if let known = standardDecoders.first(where: { $0.contentType == type }) {
      return ContentDecoder(known)
    }
    let made = ContentDecoder<Content>.standard
    standardDecoders.append(made.erased)
    return made
  }

  /// A number that identifies an optimistic edit among all of the store.
  func makeEditID() -> EditID {
    newestEdit += 1
    return newestEdit
  }
}

extension Store {
  /// Adds a list of resources here.
  func add(_ list: any Reloadable) {
    let held = lists.append(list)
    withExtendedLifetime(held) {}
  }
}

// MARK: - Configuration

extension Store {
  func add(_ rule: ConfigurationRule) {
    rules.append(rule)
    configurationChanged()
  }

  /// Removes a rule; does nothing where it was removed before.
  func remove(_ rule: ConfigurationRule) {
    guard let index = rules.firstIndex(where: { $0 === rule }) else { return }
    rules.remove(at: index)
    configurationChanged()
  }

  func configurationChanged() {
    configurationVersion += 1
    scope.configurationChanged(to: configurationVersion)
    // Released after the change: deallocating what a configuration captures may re-enter this method.
    let old = configurations
    (configurations, commonConfiguration) = ([:], nil)
    withExtendedLifetime(old) {}
    mayVary = false
    applyAllRules { if !$0.varyingHeaders.isEmpty { mayVary = true } }
  }

  /// Applies all rules together, because a rule may depend on what an earlier one has set, and passes on
  /// what each of them makes.
  private func applyAllRules(_ body: (Service.Configuration) -> Void) {
    var configuration = Service.Configuration()
    for rule in rules {
      rule.change(&configuration)
      body(configuration)
    }
  }

  /// The persistent caches that resources have or had, and those that rules set, each with the log to
  /// report to: that of the rule, or of all rules together.
  var caches: [(cache: any EntityCache, log: (@Sendable (Service.LogEntry) -> Void)?)] {
    var caches = usedCaches
    var logs: [ObjectIdentifier: @Sendable (Service.LogEntry) -> Void] = [:]
    var log: (@Sendable (Service.LogEntry) -> Void)?
    applyAllRules { made in
      log = made.log
      guard let cache = made.cache else { return }
      caches[ObjectIdentifier(cache)] = cache
      logs[ObjectIdentifier(cache)] = made.log
    }
    return caches.map { ($1, logs[$0] ?? log) }
  }

  /// Removes entries of all persistent caches.
  ///
  /// - Parameter matches: whether to remove the entry of a URL; nil to remove all.
  func emptyCaches(where matches: (@Sendable (_ url: String) -> Bool)?) {
    for (cache, log) in caches {
      usedCaches[ObjectIdentifier(cache)] = cache
      CacheQueue.shared.removeAll(
        from: cache, where: matches,
        CacheWork(for: clock) { error in
          log?(
            Service.LogEntry(
              category: .cacheFailure,
              message: "The persistent cache could not be emptied: \(Redaction.nature(of: error))",
              wait: nil))
        })
    }
  }

  /// The configuration of requests with this method and URL. Requests that the same rules match share
  /// one.
  ///
  /// - Complexity: O(*r* · *u*) in the number of rules and the length of the URL.
  func configuration(_ method: HTTPMethod, _ url: String) -> ConfigurationVersion {
    if let commonConfiguration { return commonConfiguration }
    // A rule that removes or adds rules does so for the next time.
    let (rules, version) = (rules, configurationVersion)
    let matching = rules.indices.filter { rules[$0].matches(method, url) }
    if version == configurationVersion, let known = configurations[matching] { return known }
    var configuration = Service.Configuration()
    for index in matching { rules[index].change(&configuration) }
    if let cache = configuration.cache { usedCaches[ObjectIdentifier(cache)] = cache }
    let made = ConfigurationVersion(configuration, version: version)
    guard version == configurationVersion else { return made }
    if rules.allSatisfy(\.isUnconditional) { commonConfiguration = made }
    let other = configurations.updateValue(made, forKey: matching)
    withExtendedLifetime(other) {}
    // Last: a log may ask for the configuration, or change it.
    if configuration.cache != nil, configuration.authorizer != nil,
      configuration.userIdentifier == nil
    {
      configuration.log?(
        Service.LogEntry(
          category: .cacheFailure,
          message: """
            Responses to authorized requests are not stored in the persistent cache, because nothing says whose \
            they are: set Service.Configuration.userIdentifier.
            """, wait: nil))
    }
    return made
  }

  /// Whether the credentials of the service may go there.
  func isOwnOrigin(_ url: String) -> Bool {
    base.isOrigin(of: url)
  }
}

extension Store: SecretHolding {}

extension Store {
  /// Stops the program if an invariant of what all resources share does not hold. For tests; O(*n*).
  func checkInvariants() {
    scope.checkInvariants()
    reloads.checkInvariants()
    lists.checkInvariants()
    registry?.entries.checkInvariants()
    registry?.all.forEach { $0.checkInvariants() }
    appliedEdits.checkInvariants()
  }
}
