// error: main actor-isolated conformance of 'Screen' to 'ResourceObserver' cannot be used in

import Freshet

@MainActor
final class Screen: @MainActor ResourceObserver {
  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {}
}

/// The observer would be notified on another actor than its own.
actor Owner {
  lazy var service = Service(baseURL: "https://api.test", isolation: self)

  func show(on screen: Screen) {
    service.resource("a", of: String.self).addObserver(screen)
  }
}
