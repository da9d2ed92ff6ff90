import Testing

/// Lets other tasks run until a condition holds; not for ever, so that a test that fails ends.
@MainActor
func until(sourceLocation: SourceLocation = #_sourceLocation, _ isTrue: () -> Bool) async {
  for _ in 0..<2_000_000 {
    if isTrue() { return }
    await Task.yield()
  }
  Issue.record("it does not become true", sourceLocation: sourceLocation)
}
