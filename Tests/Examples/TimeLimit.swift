import Testing

extension Trait where Self == TimeLimitTrait {
  /// The time limit of every suite with asynchronous tests; a test elsewhere checks that.
  static var standardTimeLimit: Self { .timeLimit(.minutes(60)) }
}
