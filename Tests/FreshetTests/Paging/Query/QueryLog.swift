@testable import Freshet

/// A query and what it has reported.
final class QueryLog {
  let query: PageQuery<Int>
  private(set) var lines: [String] = []
  private(set) var items: [Int] = []
  var onItem: ((Int) -> Void)?

  init(_ page: Resource<Page<Int>>, from cursor: PageCursor = .start) {
    query = PageQuery(firstPage: page, from: cursor)
    // A test that was cancelled at its time limit leaves before its query has ended.
    query.itemReceived = { [weak self] item in
      guard let self else { return }
      query.checkInvariants()
      items.append(item)
      lines.append("\(item)")
      onItem?(item)
    }
    query.pageCompleted = { [weak self] result in
      guard let self else { return }
      query.checkInvariants()
      switch result {
      case .success(.start): lines.append("start")
      case .success(.end): lines.append("end")
      case .success(.next(let link)):
        let references = link.edits.map {
          if case .follow(let target) = $0 { target } else { "?" }
        }
        lines.append("next " + references.joined(separator: ", "))
      case .failure(.load(let error)): lines.append("load \(error.kind)")
      case .failure(.link(let reason)): lines.append("link \(reason)")
      }
    }
  }
}
