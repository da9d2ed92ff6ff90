import Testing

extension Trait where Self == TimeLimitTrait {
  /// The time limit of every suite with asynchronous tests, which `TimeLimitTests` checks: a test
  /// that waits for an event that never comes fails, and the others are reported. Long, because all
  /// run at once.
  static var standardTimeLimit: Self { .timeLimit(.minutes(20)) }
}
