import Foundation
import Freshet

/// The view model of the browser: a list in pages, and what its view shows of it.
///
/// The list does the work. What is left for a view model is in which state each page is, and when the
/// view has to be drawn again.
@MainActor
final class ListModel: PagedCollectionObserver {
  let list: PagedCollection<JSONText>
  /// Called when there is something new to show, with the change of the items if there is one.
  var onChange: (PagedChange<JSONText>?) -> Void = { _ in }
  private let identity: JSONPath

  /// - Parameter identity: the path of an item's identity.
  init(_ list: PagedCollection<JSONText>, identity: JSONPath) {
    self.list = list
    self.identity = identity
    list.addObserver(self)
    list.addPageObserver(owner: self) { [weak self] _, _, _ in self?.onChange(nil) }
  }

  /// The identity of an item: what stays when the item is edited.
  func identity(of item: JSONText) -> JSONText {
    item[at: identity]?.compact ?? item
  }

  /// The index of the first item of each page.
  var pageStarts: [Int] { list.pages.indices.map { list.itemRange(ofPage: $0).lowerBound } }

  /// The state of one page, as the margin shows it.
  enum PageState: String {
    case fresh, stale, loading, failed

    init(_ page: AnyResource) {
      self =
        if page.isLoading {
          .loading
        } else if page.latestError != nil {
          .failed
        } else {
          page.isUpToDate ? .fresh : .stale
        }
    }
  }

  // MARK: Events

  func collectionChanged(
    _ list: PagedCollection<JSONText>, event: PagedCollectionEvent<JSONText>
  ) {
    if case .itemsChanged(let change) = event { onChange(change) } else { onChange(nil) }
  }
}
