import Freshet

/// Prints the events of a collection and of all its pages, as they happen.
@MainActor
public final class EventPrinter: ResourceObserver {
  private let collection: PagedCollection<JSONText>
  private let print: (String) -> Void
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var pages: [Int: AnyResource] = [:]
  private var token: ObservationToken?

  /// Prints the events from now on, while this object exists.
  ///
  /// - Parameters:
  ///   - collection: the collection.
  ///   - print: prints one line, which holds no secret of a URL.
  public init(_ collection: PagedCollection<JSONText>, print: @escaping (String) -> Void) {
    self.collection = collection
    self.print = print
    observe(collection.firstPage, number: 1)
    // Pages are counted from 1 in all that pagewalk prints.
    token = collection.observe { _, event in
      print("collection \(event.description(firstPage: 1))")
    }
  }

  /// Prints an event of a page.
  public func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    guard let number = numbers[resource.id] else { return }
    print("page \(number) \(resource.key) \(event)")
    if let page = resource as? Resource<Page<JSONText>> { observeNext(of: page, number: number) }
  }

  /// Observes the next page before it is loaded. It is the resource that the collection uses too,
  /// because a service has one for each request.
  private func observeNext(of page: Resource<Page<JSONText>>, number: Int) {
    guard let content = page.content else { return }
    guard number < collection.options.pageLimit, let link = content.next,
      let next = try? page.following(link, allowing: collection.options.allowedOrigins),
      next.key != collection.firstPage.key
    else { return releasePages(after: number) }
    observe(next, number: number + 1)
  }

  /// Releases the pages that were after the one that is the last now.
  private func releasePages(after number: Int) {
    for (later, page) in pages where later > number {
      pages[later] = nil
      numbers[page.id] = nil
      page.removeObserver(self)
    }
  }

  private func observe(_ page: AnyResource, number: Int) {
    if let known = numbers[page.id] {
      // In a loop, the first number stays.
      guard known > number else { return }
      // Pages before it have left the list.
      pages[known] = nil
    }
    // A page that another one has replaced is released: each refresh may have new cursors.
    if let old = pages.updateValue(page, forKey: number) {
      numbers[old.id] = nil
      old.removeObserver(self)
    }
    numbers[page.id] = number
    page.addObserver(self)
  }
}
