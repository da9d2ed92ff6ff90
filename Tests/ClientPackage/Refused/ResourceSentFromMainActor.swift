// error: risks causing data races

import Freshet

/// A resource belongs to the actor of its service.
@MainActor
func share(_ service: Service) {
  let resource = service.resource("a", of: String.self)
  Task.detached { resource.invalidate() }
}
