import Freshet

/// An object that calls a closure when it is deallocated.
final class DeinitProbe {
  var onDeinit: () -> Void
  init(onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
  deinit { onDeinit() }
}

/// Content that calls a closure when it is deallocated; its only owner is its receiver.
struct ProbedContent: @unchecked Sendable {
  let probe: DeinitProbe
  init(_ probe: DeinitProbe) { self.probe = probe }

  static let decoder = ContentDecoder<ProbedContent>("probed content") { _ in
    ProbedContent(DeinitProbe {})
  }
}
