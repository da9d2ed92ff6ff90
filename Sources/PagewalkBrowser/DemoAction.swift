/// An action of a key on the demo's server.
public enum DemoAction: Character, Equatable {
  case edit = "E"
  case insert = "I"
  case delete = "D"
  case network = "N"
}
