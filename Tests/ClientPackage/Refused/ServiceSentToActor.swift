// error: cannot be called from outside of the actor

import Freshet

actor Owner {
  var service: Service?
  func own(_ service: sending Service) { self.service = service }
}

/// The service would belong to another actor than the one that has it.
func make(for owner: Owner) async {
  let service = Service(baseURL: "https://api.test")
  await owner.own(service)
}
