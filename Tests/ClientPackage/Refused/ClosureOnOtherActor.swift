// error: main actor-isolated property 'count' can not be mutated from

import Freshet

@MainActor
final class Screen {
  var count = 0
}

/// The closure is called on the actor of the service, which is not that of the screen.
actor Owner {
  lazy var service = Service(baseURL: "https://api.test", isolation: self)

  func show(on screen: Screen) -> ObservationToken {
    service.resource("a", of: String.self).observe { _, _ in screen.count += 1 }
  }
}
