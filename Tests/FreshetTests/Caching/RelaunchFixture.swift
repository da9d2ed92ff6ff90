import Freshet
import FreshetTesting

/// A program that is launched several times: each launch has a new service on the same persistent cache.
struct RelaunchFixture {
  let cache = MemoryCache()
  let clock = ManualClock()
  let stub: StubTransport

  init(_ stub: StubTransport = StubTransport()) {
    self.stub = stub
  }

  /// Launches the program.
  func launch(isolation: isolated any Actor = #isolation) -> Service {
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    service.configure { [cache] in $0.cache = cache }
    return service
  }
}
