// error: 'nil' is not compatible with expected argument type 'any Actor'

import Freshet

/// A function without isolation has no actor that a service could belong to.
func make() async -> [AnyResource] {
  Service(baseURL: "https://api.test", isolation: #isolation).resources
}
