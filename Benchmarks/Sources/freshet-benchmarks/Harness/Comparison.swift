/// Runs a number of iterations and returns how long they took, without their preparation.
///
/// It runs on the actor of the stores. Closures of this type have no capture list: Swift 6.3 would run
/// them elsewhere.
typealias Work = (_ iterations: Int) async -> Duration

/// Work that repeats a call.
func repeating(_ body: @escaping () -> Void) -> Work {
  { iterations in
    let start = ContinuousClock.now
    for _ in 0..<iterations { body() }
    return ContinuousClock.now - start
  }
}

/// The units of the figures.
enum Unit: String {
  case ns
  case nsPerPage = "ns/page"
  case nsPerDelivery = "ns/delivery"
  case nsPerRequest = "ns/request"
  case bytes = "B"
}

/// One measured task of one size: Freshet's implementation, and those it is compared with.
struct Comparison {
  /// An implementation to compare with, by a name that describes it.
  struct Baseline {
    let name: String
    let work: Work
  }

  /// Such as `walk.fresh`.
  let name: String
  /// The size: pages, observers or resources.
  let n: Int
  let unit: Unit
  /// The divisor of a time: the pages or deliveries of one iteration; 1 for the whole.
  let per: Int
  let ours: Work
  /// The minimal implementation: plain arrays and calls.
  var floor: Baseline?
  /// An implementation without this library's collections, on the same public API.
  var naive: Work?

  init(
    _ name: String, n: Int, unit: Unit = .ns, per: Int = 1, ours: @escaping Work,
    floor: Baseline? = nil, naive: Work? = nil
  ) {
    self.name = name
    self.n = n
    self.unit = unit
    self.per = per
    self.ours = ours
    self.floor = floor
    self.naive = naive
  }
}
