import Freshet

/// A list in pages, drawn row by row from the splices that it receives.
final class ListModel: PagedCollectionObserver {
  let list: PagedCollection<Entry>
  private(set) var rows: [String] = []

  init(service: Service) {
    list = service.pages("entries", style: .linkHeader)
    list.addObserver(self)
    list.loadIfNeeded()
  }

  func collectionChanged(
    _ collection: PagedCollection<Entry>, event: PagedCollectionEvent<Entry>
  ) {
    guard case .itemsChanged(let change) = event else { return }
    for splice in change.splices {
      rows.replaceSubrange(splice.removedRange, with: splice.insertedItems.map(\.title))
    }
  }
}
