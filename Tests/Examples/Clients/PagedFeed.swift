import Freshet

/// The same view model on a list that merges the pages itself.
@MainActor
final class PagedFeed {
  private let list: PagedCollection<Story>
  var stories: [Story] { list.items }
  var errorMessage: String? { list.latestError?.userMessage }
  var isLoading: Bool { list.isLoading }
  /// How many rows are on screen.
  var rowCount: Int {
    get { list.displayedCount }
    set { list.displayedCount = newValue }
  }

  init(_ service: Service) {
    list = service.pages("/stories", of: Story.self, style: .header("X-Next-Page"))
    list.displayedCount = 20
  }

  func viewWillAppear() { list.loadIfNeeded() }
  func pullToRefresh() { list.refresh() }
}
