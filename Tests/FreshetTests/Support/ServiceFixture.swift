import Foundation
import Freshet
import FreshetTesting
import Testing

/// A store with a scripted transport and a clock that stands still: what most contract tests begin
/// with. A request without a stub fails the test.
struct ServiceFixture {
  let stub = StubTransport()
  let clock = ManualClock()
  let service: Service

  init(
    isolation: isolated any Actor = #isolation,
    configure: @escaping (inout Service.Configuration) -> Void = { _ in }
  ) {
    stub.onUnexpected { Issue.record("\($0)") }
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    service.configure(nil, configure)
  }

  /// The resource at a path, holding text.
  func text(_ path: String) -> Resource<String> {
    service.resource(path, of: String.self)
  }

  /// An observer of that resource that was already notified that it was added.
  func record(_ resource: AnyResource) -> EventRecorder {
    let recorder = EventRecorder()
    resource.addObserver(recorder)
    recorder.drain()
    return recorder
  }
}

/// An object to own observers, or to be watched for its end.
final class Owner {}

extension Request {
  /// Waits for the end and returns the error, or nil after a success.
  func failure() async -> ResourceError? {
    await completed()
    guard case .failure(let error)? = result else { return nil }
    return error
  }
}
