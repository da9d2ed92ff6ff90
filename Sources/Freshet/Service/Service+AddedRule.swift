extension Service {
  /// The handle of a rule that was added to the configuration of a service.
  ///
  /// Releasing the handle does not remove the rule; ``remove()`` does.
  public struct AddedRule {
    private let rule: ConfigurationRule
    private weak var store: Store?

    init(_ rule: ConfigurationRule, _ store: Store) {
      self.rule = rule
      self.store = store
    }

    /// Removes the rule, and applies the other rules again.
    ///
    /// Further calls do nothing, and neither does a call after the service was deallocated.
    public func remove() {
      store?.remove(rule)
    }
  }
}
