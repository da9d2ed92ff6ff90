/// Does a job a number of times and says how long that took, without what was prepared for it.
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

/// What figures are given in.
enum Unit: String {
  case ns
  case nsPerPage = "ns/page"
  case nsPerDelivery = "ns/delivery"
  case bytes = "B"
}

/// One job of one size: how Freshet does it, and what that is compared with.
struct Comparison {
  /// Something that the job is compared with, by a name that says what it does.
  struct Baseline {
    let name: String
    let work: Work
  }

  /// Such as `walk.fresh`.
  let name: String
  /// The size: pages, observers or resources.
  let n: Int
  let unit: Unit
  /// What a time is divided by: the pages or deliveries of one iteration; 1 for the whole.
  let per: Int
  let ours: Work
  /// The least that could do the same: plain arrays and calls.
  var floor: Baseline?
  /// What a program without this library's collections would do, on the same public API.
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
