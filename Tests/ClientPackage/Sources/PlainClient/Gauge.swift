/// An item of the demo API.
struct Gauge: Decodable, Sendable, Equatable {
  let id: Int
}
