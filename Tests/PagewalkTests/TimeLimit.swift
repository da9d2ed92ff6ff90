import Testing

extension Trait where Self == TimeLimitTrait {
  /// The time limit of every suite with asynchronous tests, which `TimeLimitTests` checks: a test
  /// that waits for an event that never comes fails, and the others are reported. Long, because all
  /// run at once: under a sanitizer, and beside other programs, each may take as long as all of them.
  static var standardTimeLimit: Self { .timeLimit(.minutes(60)) }
}

/// Gives requests a day by the clock of the machine, as every `Session` does: on a busy machine a test may wait for
/// its turn among all others for longer than any request should take, and then look at what the program has done
/// meanwhile.
let patience = "--timeout=86400"
