import Testing

/// Lets the store work until something is true, or for long enough to say that it is not.
nonisolated(nonsending) func soon(
  within yields: Int = 2_000_000, _ isTrue: () -> Bool
) async -> Bool {
  for _ in 0..<yields {
    if isTrue() { return true }
    await Task.yield()
  }
  return isTrue()
}

/// Lets other tasks run until a condition holds; not for ever, so that a test that fails ends.
nonisolated(nonsending) func until(
  sourceLocation: SourceLocation = #_sourceLocation, _ isTrue: () -> Bool
) async {
  if await !soon(isTrue) {
    Issue.record("it does not become true", sourceLocation: sourceLocation)
  }
}

/// The same for the state of another actor.
nonisolated(nonsending) func until(
  sourceLocation: SourceLocation = #_sourceLocation, _ isTrue: () async -> Bool
) async {
  for _ in 0..<2_000_000 {
    if await isTrue() { return }
    await Task.yield()
  }
  Issue.record("it does not become true", sourceLocation: sourceLocation)
}
