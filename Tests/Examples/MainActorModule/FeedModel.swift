import Freshet

/// A value that is decoded off the main actor, so it has to leave the module's default isolation.
nonisolated struct Entry: Decodable, Sendable {
  let title: String
}

/// A view model, on the main actor because everything in this module is.
final class FeedModel: ResourceObserver {
  private let feed: Resource<[Entry]>
  private(set) var titles: [String] = []
  private(set) var message: String?
  private(set) var isLoading = false

  init(service: Service) {
    feed = service.resource("feed")
    feed.addObserver(self)
  }

  func appear() {
    feed.loadIfNeeded()
  }

  func pullToRefresh() async {
    await feed.load().completed()
  }

  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    titles = feed.content?.map(\.title) ?? []
    message = feed.latestError?.userMessage
    isLoading = feed.isLoading
  }
}
