import Testing

extension Trait where Self == TimeLimitTrait {
  /// The time limit of every suite with asynchronous tests, which `TimeLimitTests` checks: a test
  /// that waits for an event that never comes fails, and the others are reported. Long, because all
  /// run at once: under a sanitizer, and beside other programs, each may take as long as all of them.
  static var standardTimeLimit: Self { .timeLimit(.minutes(60)) }
}
