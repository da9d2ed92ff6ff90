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
