import Foundation

extension Duration {
  /// The seconds for people: two significant digits below 10 s, whole seconds above.
  var inSeconds: String { secondsText(self / .seconds(1)) }
}

/// Text of the library with its durations rounded: "0.43 s", not "0.4301298732 seconds".
func roundingSeconds(in text: String) -> String {
  text.replacing(/([0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?) seconds/) { match in
    Double(match.output.1).map(secondsText) ?? String(match.output.0)
  }
}

private func secondsText(_ seconds: Double) -> String {
  switch seconds {
  case ..<0.0005: "0 s"
  case ..<0.01: String(format: "%.3f s", seconds)
  case ..<9.95: String(format: "%.2g s", seconds)
  default: String(format: "%.0f s", seconds)
  }
}

/// A date for people, where the user is: the time of day, after the day if it is more than one from now.
func dateText(_ date: Date, now: Date) -> String {
  var time = time_t(date.timeIntervalSince1970)
  var parts = tm()
  localtime_r(&time, &parts)
  let clock = String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
  guard abs(date.timeIntervalSince(now)) > 86_400 else { return clock }
  let day = String(
    format: "%d-%02d-%02d", Int(parts.tm_year) + 1900, parts.tm_mon + 1, parts.tm_mday)
  return "\(day) \(clock)"
}
