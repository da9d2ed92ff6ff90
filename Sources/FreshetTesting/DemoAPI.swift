import Foundation
import Freshet

/// A small REST API with pages, validators and edits on demand, for demos, tests and benchmarks.
///
/// It serves river gauges. The same seed and the same calls make the same bytes on every platform.
///
/// ```swift
/// let demo = DemoAPI()
/// let server = try demo.start()                        // over HTTP: server.url
/// let stub = StubTransport { demo.respond(to: $0) }    // or without a network
/// demo.edit(id: 17)                                    // one page has changed
/// ```
///
/// | request | response |
/// | --- | --- |
/// | `GET /items?page=N&per_page=M` | page N, from 1, of M items; `Link` with `first`, `prev`, `next`, `last` |
/// | `GET /items?after=ID&per_page=M` | the M items that follow item ID; `Link` with `first`, `next` |
/// | `GET /items/ID` | one item |
///
/// A page is a JSON array. With an empty ID it has the first items; edits before ID do not shift the page after it.
///
/// All have a strong `ETag` of their content and `Cache-Control: no-cache`; lists also have
/// `X-Total-Count`. A matching `If-None-Match` gets 304, with the current header fields: `Link` and
/// the total may have changed even if the items have not. `HEAD` works like `GET`. Any other
/// request gets 400, 404 or 405 with a JSON object that has a `message`.
///
/// Any thread may edit the data and send requests at any time.
public final class DemoAPI: Sendable {
  /// The numbers of responses of each kind.
  public struct Counts: Sendable, Hashable {
    /// The number of responses with content: 200.
    public var full = 0
    /// The number of responses that confirmed the client's content: 304.
    public var notModified = 0
    /// The number of all other responses.
    public var failed = 0
  }

  private struct State: Sendable {
    var gauges: DemoGauges
    var counts = Counts()
  }

  private let state: Locked<State>
  private let perPage: Int

  /// Creates an API with data of its own.
  ///
  /// - Parameters:
  ///   - seed: the seed of the data; each gives other names, levels and serial numbers.
  ///   - itemCount: how many items there are; their ids are 1, 2, 3…
  ///   - perPage: the number of items in a page without `per_page`; at most 1000.
  public init(seed: UInt64 = 1, itemCount: Int = 500, perPage: Int = 50) {
    precondition(itemCount >= 0, "DemoAPI: itemCount \(itemCount) is negative")
    precondition(DemoQuery.sizes.contains(perPage), "DemoAPI: perPage \(perPage) is not 1…1000")
    state = Locked(State(gauges: DemoGauges(seed: seed, count: itemCount)))
    self.perPage = perPage
  }

  /// Serves the API over HTTP; it stops when the server is released.
  ///
  /// - Throws: ``SocketError`` if the port is in use.
  public func start(port: UInt16 = 0) throws(SocketError) -> LoopbackServer {
    try LoopbackServer(port: port) { [self] in .response(respond(to: $0)) }
  }

  /// Returns the response to a request.
  ///
  /// Links are absolute, with the origin and path of the request.
  ///
  /// - Complexity: O(*m*) in the items of the page; with `after`, O(*n*) in all items.
  public func respond(to request: HTTPRequest) -> HTTPResponse {
    let gauges = state.withLock { $0.gauges }
    let response = DemoQuery(request, perPage: perPage).response(from: gauges)
    state.withLock { state in
      switch response.status {
      case 200: state.counts.full += 1
      case 304: state.counts.notModified += 1
      default: state.counts.failed += 1
      }
    }
    return response
  }

  /// The numbers of responses of each kind that were sent so far.
  public var counts: Counts { state.withLock { $0.counts } }

  /// The ids of all items, in order.
  public var ids: [Int] { state.withLock { $0.gauges.items.map(\.id) } }

  /// Gives the item a new level, and so its page a new `ETag`; false if there is no such item.
  @discardableResult
  public func edit(id: Int) -> Bool {
    state.withLock { $0.gauges.edit(id: id) }
  }

  /// Inserts a new item at an index of the whole list, 0 for the front, and returns its id.
  ///
  /// Later pages shift by one, pages by `after` do not.
  @discardableResult
  public func insert(at index: Int) -> Int {
    state.withLock { $0.gauges.insert(at: index) }
  }

  /// Deletes the item; false if there is no such item.
  @discardableResult
  public func delete(id: Int) -> Bool {
    state.withLock { $0.gauges.delete(id: id) }
  }
}
