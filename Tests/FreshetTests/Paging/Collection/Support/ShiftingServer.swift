import Foundation
import Freshet
@testable import FreshetTesting

/// A server whose list is edited all the time: pages have names, and each links to the one that is
/// after it now.
///
/// `/items?p=0` is the first page. With tokens, every response links with another token, like
/// servers with new cursors for each read.
final class ShiftingServer: Sendable {
  struct List: Sendable {
    /// The names of the pages in order, beginning with 0, and their items.
    var order = [0]
    var items: [Int: [Int]] = [0: [1, 2]]
    var failing: Set<Int> = []
    /// How they fail.
    var failureStatus = 500
    /// The index of the page that the last one links back to, for a circular list.
    var loop: Int?
    var newest = 0

    /// The index of the page that a walk comes back to. A page without items that links to itself ends the list.
    var visitedLoop: Int? {
      loop.flatMap { $0 == order.count - 1 && items[order[$0]]?.isEmpty == true ? nil : $0 }
    }

    /// The pages that a walk of the list visits, each once.
    var walked: [Int] { order.flatMap { items[$0] ?? [] } }

    /// The items that a walk shows: of several copies the first, or the one that comes last, with
    /// its page.
    func walked(_ choice: ItemChoice?) -> [Int] {
      guard let choice else { return walked }
      var pages = order.map { page in
        var seen: Set<Int> = []
        return (items[page] ?? []).filter { seen.insert($0).inserted }
      }
      if choice == .newest { pages.reverse() }
      var seen: Set<Int> = []
      pages = pages.map { page in
        page.filter { !seen.contains($0) }.map { seen.insert($0).memberAfterInsert }
      }
      return (choice == .newest ? pages.reversed() : pages).flatMap { $0 }
    }
  }

  private struct State: Sendable {
    var list = List()
    var token = 0
  }

  private let state = Locked(State())
  private let usesTokens: Bool
  private let linksBack: Bool

  init(usesTokens: Bool, linksBack: Bool = false) {
    self.usesTokens = usesTokens
    self.linksBack = linksBack
  }

  var list: List {
    get { state.withLock { $0.list } }
    set { state.withLock { $0.list = newValue } }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let name = (request.url.query ?? "").split(separator: "&")[0].dropFirst(2)
    let page = Int(name) ?? 0
    return state.withLock { state in
      let list = state.list
      guard let items = list.items[page], let place = list.order.firstIndex(of: page) else {
        return HTTPResponse(status: 404, url: request.url)
      }
      guard !list.failing.contains(page) else {
        return HTTPResponse(status: list.failureStatus, url: request.url)
      }
      let next =
        place + 1 < list.order.count ? list.order[place + 1] : list.loop.map { list.order[$0] }
      let body = "[\(items.map(String.init).joined(separator: ","))]"
      var headers: HTTPHeaders = ["Content-Type": "application/json"]
      let previous = linksBack && place > 0 ? list.order[place - 1] : nil
      headers["ETag"] = "\"\(previous ?? -1)>\(body)>\(next ?? -1)\""
      if request.headers["If-None-Match"] == headers["ETag"] {
        return HTTPResponse(status: 304, headers: headers, url: request.url)
      }
      var links = previous.map { ["</items?p=\($0)>; rel=\"prev\""] } ?? []
      if let next {
        state.token += 1
        let token = usesTokens ? "&t=\(state.token)" : ""
        links.append("</items?p=\(next)\(token)>; rel=\"next\"")
      }
      if !links.isEmpty { headers["Link"] = links.joined(separator: ", ") }
      return HTTPResponse(status: 200, headers: headers, body: Data(body.utf8), url: request.url)
    }
  }

  /// Changes one thing about the list.
  func shift(_ random: inout SeededGenerator) {
    var list = list
    let place = Int.random(in: 0..<list.order.count, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2:
      list.items[list.order[place]] = Self.someItems(&random)
    case 3 where list.order.count < 9:
      list.newest += 1
      list.order.insert(list.newest, at: place + 1)
      list.items[list.newest] = Self.someItems(&random)
    case 4 where place > 0:
      list.items[list.order.remove(at: place)] = nil
      list.loop = nil
    case 5 where place > 0:
      list.order.swapAt(place, Int.random(in: 1..<list.order.count, using: &random))
    case 6:
      list.failing = random.chance(0.5) ? [list.order[place]] : []
      list.failureStatus = random.pick([500, 400, 404, 410])
    case 7 where !usesTokens:
      list.loop = random.chance(0.3) ? place : nil
    default: break
    }
    self.list = list
  }

  static func someItems(_ random: inout SeededGenerator) -> [Int] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<6, using: &random) }
  }
}

/// Applies every change of a list to a copy, and compares.
final class ListMirror<Item: Sendable & Equatable>: PagedCollectionObserver {
  private(set) var copy: [Item]?
  private(set) var eventCount = 0
  private(set) var changeCount = 0
  private(set) var invalidationCount = 0
  private(set) var states: [String] = []
  private(set) var previousStates: [String] = []
  private(set) var refreshStates: [String] = []
  /// The first difference.
  private(set) var failure: String?
  var onEvent: ((PagedCollection<Item>, PagedCollectionEvent<Item>) -> Void)?

  func collectionChanged(_ list: PagedCollection<Item>, event: PagedCollectionEvent<Item>) {
    eventCount += 1
    switch event {
    case .observerAdded:
      if copy != nil { fail("it was added twice") }
      copy = list.items
    case .itemsChanged(let change):
      changeCount += 1
      for splice in change.splices { apply(splice) }
    case .stateChanged(let state):
      states.append(state.description)
    case .previousStateChanged(let state):
      previousStates.append(state.description)
    case .refreshStateChanged(let state):
      refreshStates.append(state.description)
    case .invalidated:
      invalidationCount += 1
    }
    if copy != list.items { fail("at \(event) the copy is \(copy ?? []), not \(list.items)") }
    onEvent?(list, event)
  }

  func forget() {
    changeCount = 0
    invalidationCount = 0
    states = []
    previousStates = []
    refreshStates = []
  }

  private func apply(_ splice: PagedChange<Item>.Splice) {
    guard let count = copy?.count, splice.removedRange.upperBound <= count, !splice.isEmpty else {
      return fail("\(splice) for \(copy ?? [])")
    }
    copy?.replaceSubrange(splice.removedRange, with: splice.insertedItems)
  }

  private func fail(_ message: String) {
    if failure == nil { failure = message }
  }
}

extension ShiftingServer.List {
  /// How a list that has loaded what its limits allow differs from a walk of this one; nil where it does not.
  ///
  /// The walk begins with the list's first page. It ends with its last one where a limit ended the list.
  func difference(from list: PagedCollection<Int>) -> String? {
    guard let first = list.pages.first.flatMap(Self.name), let place = order.firstIndex(of: first)
    else { return "the first page is \(list.pages.first?.description ?? "none")" }
    var walk = self
    walk.order.removeFirst(place)
    if list.state != .ended { walk.order.removeLast(max(walk.order.count - list.pageCount, 0)) }
    let walked = walk.walked(list.options.identity?.choice)
    guard list.hasSameItems(as: walked) else {
      return "\(list.items), a walk of the pages \(walk.order) finds \(walked)"
    }
    return list.inconsistency(isWhole: true)
  }

  /// The name of a page in its address.
  private static func name(_ page: Resource<Page<Int>>) -> Int? {
    Int((page.url?.query ?? "").split(separator: "&")[0].dropFirst(2))
  }
}
