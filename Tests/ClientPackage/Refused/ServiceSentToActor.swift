// error: sending 'service' risks causing data races

import Freshet

actor Owner {
  var service: Service?
  func own(_ service: sending Service) { self.service = service }
}

/// The service belongs to the main actor, and would be used on another one.
@MainActor
func make(for owner: Owner) async {
  let service = Service(baseURL: "https://api.test")
  await owner.own(service)
}
