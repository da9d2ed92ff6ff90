import Freshet
import FreshetTesting

/// A list whose server responds at once.
protocol ListFixture {
  var list: PagedCollection<Int> { get }
}

/// Each of these requests something of the list, and waits until it is loaded.
extension ListFixture {
  nonisolated(nonsending) func loadIfNeeded() async {
    list.loadIfNeeded()
    await list.settled()
  }

  nonisolated(nonsending) func loadMore() async {
    list.loadMore()
    await list.settled()
  }

  nonisolated(nonsending) func loadPreviousPage() async {
    list.loadPreviousPage()
    await list.settled()
  }

  nonisolated(nonsending) func refresh(_ scope: RefreshScope = .all) async {
    list.refresh(scope)
    await list.settled()
  }

  nonisolated(nonsending) func retry() async {
    list.retry()
    await list.settled()
  }
}

extension PagedCollection.Options {
  /// The standard options with this change.
  static func with(_ change: (inout Self) -> Void) -> Self {
    var options = Self()
    change(&options)
    return options
  }
}
