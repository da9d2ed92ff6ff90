import Freshet

struct Story: Decodable, Sendable, Equatable {
  let title: String
}

/// A view model as it is written for Siesta: a chain of page resources, merged by hand. Ported line by
/// line; only the types of the contents are new.
@MainActor
final class HandMergedFeed: @MainActor ResourceObserver {
  private let firstPage: Resource<[Story]>
  private var pages: [Resource<[Story]>] = []
  private(set) var stories: [Story] = []
  private(set) var errorMessage: String?
  private(set) var isLoading = false
  /// How many rows are on screen.
  var rowCount = 20 {
    didSet { update() }
  }

  init(_ service: Service) {
    firstPage = service.resource("/stories")
    pages = [firstPage]
    firstPage.addObserver(self)
  }

  func viewWillAppear() {
    update()
  }

  func pullToRefresh() {
    for page in pages { page.load() }
  }

  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    update()
  }

  private func update() {
    var page: Resource<[Story]>? = firstPage
    var chain: [Resource<[Story]>] = []
    var merged: [Story] = []
    while let current = page {
      chain.append(current)
      if !pages.contains(where: { $0 === current }) { current.addObserver(self) }
      current.loadIfNeeded()
      merged += current.content ?? []
      guard merged.count < rowCount else { break }
      page = current.optionalRelative(current.latestData?.headers["X-Next-Page"])
    }
    for old in pages where !chain.contains(where: { $0 === old }) { old.removeObserver(self) }
    pages = chain
    stories = merged
    errorMessage = pages.lazy.compactMap(\.latestError).first?.userMessage
    isLoading = pages.contains(where: \.isLoading)
  }
}
