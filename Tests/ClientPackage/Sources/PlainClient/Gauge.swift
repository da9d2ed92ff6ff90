/// An item of the demo API.
struct Gauge: Decodable, Identifiable, Sendable, Equatable {
  let id: Int
}
