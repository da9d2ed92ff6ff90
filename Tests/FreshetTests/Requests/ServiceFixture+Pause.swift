import Foundation
import Freshet
import FreshetTesting

extension ServiceFixture {
  /// A store whose server asks for a wait at `/a` once, and responds to everything else.
  static func pausing(
    for seconds: Int = 7, isolation: isolated any Actor = #isolation,
    _ change: @escaping (inout Service.Configuration) -> Void = { _ in }
  ) -> ServiceFixture {
    let fixture = ServiceFixture {
      $0.retryPolicy = .standard
      $0.random = { 0.5 }
      change(&$0)
    }
    fixture.stub.on(
      .get, "/a", .status(429, headers: ["Retry-After": "\(seconds)"]), .text("a"))
    fixture.stub.on(.get, "/b", .text("b"))
    return fixture
  }

  /// The paths that were asked for, in order.
  var asked: [String] { stub.requests.map(\.url.path) }
}
