import Freshet

/// Prints the events of a collection and of all its pages, as they happen.
@MainActor
final class EventPrinter: ResourceObserver {
  private let collection: PagedCollection<JSONText>
  private let print: (String) -> Void
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var pages: [Int: AnyResource] = [:]
  private var token: ObservationToken?

  init(_ collection: PagedCollection<JSONText>, print: @escaping (String) -> Void) {
    self.collection = collection
    self.print = print
    observe(collection.firstPage, number: 1)
    token = collection.observe { _, event in print("collection \(EventPrinter.text(of: event))") }
  }

  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    guard let number = numbers[resource.id] else { return }
    print(
      "page \(number) \(resource.key.method) \(Redaction.url(resource.key.url)) \(event)")
    if let page = resource as? Resource<Page<JSONText>> { observeNext(of: page, number: number) }
  }

  /// Observes the next page before it is loaded. It is the resource that the collection uses too,
  /// because a service has one for each request.
  private func observeNext(of page: Resource<Page<JSONText>>, number: Int) {
    guard number < collection.options.pageLimit, let link = page.content?.next,
      let next = try? page.following(link, allowing: collection.options.allowedOrigins),
      next.key != collection.firstPage.key
    else { return }
    observe(next, number: number + 1)
  }

  private func observe(_ page: AnyResource, number: Int) {
    // In a loop, the first number stays.
    guard numbers[page.id] == nil else { return }
    // A page that another one has replaced is released: each refresh may have new cursors.
    if let old = pages.updateValue(page, forKey: number) {
      numbers[old.id] = nil
      old.removeObserver(self)
    }
    numbers[page.id] = number
    page.addObserver(self)
  }

  private static func text(of event: PagedCollectionEvent<JSONText>) -> String {
    switch event {
    case .observerAdded: "observerAdded"
    case .stateChanged(let state): "stateChanged(\(text(of: state)))"
    case .previousStateChanged(let state): "previousStateChanged(\(text(of: state)))"
    case .refreshStateChanged(let state): "refreshStateChanged(\(text(of: state)))"
    case .invalidated: "invalidated"
    case .itemsChanged(let change):
      "itemsChanged(" + change.splices.map(text).joined(separator: ", ") + ")"
    }
  }

  /// The state, with pages counted from 1 as in all that pagewalk prints.
  private static func text(of state: PagedCollectionState) -> String {
    state.description(firstPage: 1)
  }

  private static func text(of splice: PagedChange<JSONText>.Splice) -> String {
    let removed = splice.removedRange.isEmpty ? nil : "-\(splice.removedRange.count)"
    let inserted = splice.insertedItems.isEmpty ? nil : "+\(splice.insertedItems.count)"
    return [removed, inserted].compactMap { $0 }.joined(separator: " ")
      + " at \(splice.removedRange.lowerBound)"
  }
}
