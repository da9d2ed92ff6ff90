// error: main actor-isolated default value

import Freshet

actor Owner {
  let service = Service(baseURL: "https://api.test")
}
