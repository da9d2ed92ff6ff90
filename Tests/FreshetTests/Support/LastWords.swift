import Freshet

/// An object whose end does something.
final class LastWord {
  var say: () -> Void
  init(say: @escaping () -> Void) { self.say = say }
  deinit { say() }
}

/// Content whose end does something; nobody else has it when it is given away.
struct LastWords: @unchecked Sendable {
  let object: LastWord
  init(_ object: LastWord) { self.object = object }

  static let decoder = ContentDecoder<LastWords>("last words") { _ in LastWords(LastWord {}) }
}
