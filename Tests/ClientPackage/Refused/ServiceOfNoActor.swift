// error: cannot be called from outside of the actor

import Freshet

/// A function without isolation is not on the main actor, to which the service would belong.
func make() async -> [AnyResource] {
  Service(baseURL: "https://api.test").resources
}
