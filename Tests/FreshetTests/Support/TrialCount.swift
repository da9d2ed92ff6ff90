import Foundation

/// The number of trials of a random test that takes long: a fifth under the thread sanitizer, which looks
/// for races, not for wrong lists, and takes ten times as long.
func trialCount<Count: BinaryInteger>(_ count: Count) -> Count {
  isUnderThreadSanitizer ? count / 5 : count
}

private let isUnderThreadSanitizer = dlsym(dlopen(nil, RTLD_LAZY), "__tsan_init") != nil
