import Foundation

/// The link between the items of a list and the resources that they have of their own.
final class DetailLink<Item: Sendable & Identifiable, Detail: Sendable>:
  DetailSharing, ItemSharing
{
  /// How an item and the content of its resource are made from each other.
  typealias Conversion = (item: (Detail) -> Item, detail: (Item, Detail?) -> Detail)

  /// The resource of an item.
  private struct Linked {
    weak var detail: SharedDetail<Detail>?
    var agreements: [Agreement] = []
  }

  /// The origins of a page's content and of the resource's when they were last brought into agreement.
  private struct Agreement {
    // Not its identifier: another page may have that once this one is deallocated.
    weak var page: PageResource?
    let versions: Versions
  }

  private struct Versions: Equatable {
    var page: ContentVersion
    var detail: ContentVersion
    var wipeCount: Int
  }

  private typealias PageResource = Resource<Page<Item>>

  private weak var list: PagedCollection<Item>?
  private let id: (Item) -> AnyHashable?
  private let resource: (Item.ID) -> Resource<Detail>
  private let conversion: Conversion
  private let areEqual = ItemTraits<Item>(nil).areEqual
  private var linked: [AnyHashable: Linked] = [:]
  /// When to look in it for resources that were deallocated.
  private var schedule = PruneSchedule()
  /// The pending edits of items whose resources were not asked for yet.
  private let waiting = PendingItemEdits<Detail>()

  init(
    list: PagedCollection<Item>, id: @escaping (Item) -> AnyHashable?,
    resource: @escaping (Item.ID) -> Resource<Detail>, conversion: Conversion
  ) {
    self.list = list
    self.id = id
    self.resource = resource
    self.conversion = conversion
  }

  /// The resource of an item, which shares its content with the list from now on.
  func detail(of id: Item.ID) -> Resource<Detail> {
    let resource = resource(id)
    guard let list else { return resource }
    require(
      resource.store === list.firstPage.store,
      "ItemDetails[\(Item.ID.self)]: the resource of an item belongs to another service")
    let shared = SharedDetail.of(resource)
    let key = AnyHashable(id)
    list.queue.together {
      if linked[key]?.detail !== shared {
        removeReleased()
        linked[key] = Linked(detail: shared)
      }
      shared.join(self, as: key)
      if !resource.hasData, let (item, version) = newestItem(key, in: list) {
        shared.showPlaceholder(conversion.detail(item, nil), asOf: version)
      }
      for edit in waiting.removeAll(of: key) { shared.add(edit) }
      synchronize(key, with: shared)
    }
    return resource
  }

  /// Removes those whose resources were deallocated, if there may be many.
  private func removeReleased() {
    guard schedule.isDue(at: linked.count) else { return }
    // Of a copy, released last: looking at a resource may deallocate it, which may re-enter this method.
    let known = linked
    linked = known.filter { $0.value.detail != nil }
    schedule.pruned(leaving: linked.count)
    withExtendedLifetime(known) {}
  }

  private func newestItem(
    _ key: AnyHashable, in list: PagedCollection<Item>
  ) -> (item: Item, version: ContentVersion)? {
    let page = list.pages(holding: key).max { $0.version < $1.version }
    guard let page, let item = item(key, on: page) else { return nil }
    return (item, page.version)
  }

  /// The item on a page, without edits that the server has not accepted.
  private func item(_ key: AnyHashable, on page: PageResource) -> Item? {
    guard let content = page.acceptedContent else { return nil }
    return ContentBox<Page<Item>>.value(of: content).items.first { id($0) == key }
  }

  // MARK: Content

  func pageChanged(_ page: Resource<Page<Item>>) {
    for (key, detail) in details(on: page) { synchronize(key, with: detail) }
  }

  func willRead(_ page: Resource<Page<Item>>) {
    guard let list else { return }
    list.queue.together {
      for (key, detail) in details(on: page) where detail.hasContent {
        synchronize(page, with: detail, about: key)
      }
    }
  }

  /// The resources of the items of a page, as far as they were asked for.
  private func details(
    on page: PageResource
  ) -> [(key: AnyHashable, detail: SharedDetail<Detail>)] {
    guard !linked.isEmpty, let items = page.box?.value.items else { return [] }
    return items.compactMap { item in
      guard let key = id(item), let detail = linked[key]?.detail else { return nil }
      return (key, detail)
    }
  }

  /// Makes the edits of items whose resources were not asked for yet.
  func makeEdits(in page: Resource<Page<Item>>) {
    guard let list, let box = page.box else { return }
    let missing = waiting.missing(in: page) { box.value.items.compactMap(id) }
    guard !missing.isEmpty else { return }
    list.queue.together {
      for (key, edit) in missing { make(edit, of: key, on: page, nil) }
    }
  }

  func synchronize(_ key: AnyHashable, with detail: SharedDetail<Detail>) {
    guard let list, detail.hasContent else { return }
    list.queue.together {
      for page in list.pages(holding: key) { synchronize(page, with: detail, about: key) }
    }
  }

  /// Brings one page and the resource of an item into agreement, and makes the pending edits on the page.
  private func synchronize(
    _ page: PageResource, with detail: SharedDetail<Detail>, about key: AnyHashable
  ) {
    for edit in detail.edits where edit.isPending { make(edit, of: key, on: page, detail) }
    agree(page, detail, about: key)
  }

  private func agree(
    _ page: PageResource, _ detail: SharedDetail<Detail>, about key: AnyHashable
  ) {
    var versions = Versions(
      page: page.version, detail: detail.version, wipeCount: detail.wipeCount)
    // Of a copy: looking at a page may deallocate it, which may re-enter this method.
    let known = linked[key]?.agreements ?? []
    guard known.first(where: { $0.page === page })?.versions != versions else { return }
    guard let item = item(key, on: page) else { return }
    func noteAgreement() {
      let others = known.filter { $0.page != nil && $0.page !== page }
      linked[key]?.agreements = others + [Agreement(page: page, versions: versions)]
    }
    if versions.page > versions.detail {
      versions.detail = versions.page
      noteAgreement()
      detail.amend(asOf: versions.page) { [conversion] in conversion.detail(item, $0) }
    } else {
      noteAgreement()
      guard versions.page < versions.detail, let content = detail.accepted else { return }
      let new = conversion.item(content)
      // Edits of more content than the item has may depend on any of it.
      guard areEqual?(item, new) != true || Item.self != Detail.self && !detail.edits.isEmpty else {
        return
      }
      page.amend(
        detail.amendmentID, asOf: versions.detail.load, isNew: true,
        ContentBox<Page<Item>>.edit { [id] page in
          page.items.edit(where: { id($0) == key }) { $0 = new }
        })
    }
  }

  // MARK: Edits

  func updateItem(
    _ id: some Hashable, _ edit: @escaping (inout Item) -> Void
  ) -> ContentUpdate? {
    let key = AnyHashable(id)
    guard let list, list.list.shown.offset(of: key) != nil else { return nil }
    let editID = list.firstPage.store.makeEditID()
    // Also if it is called for an item on a page, it is an edit of the resource.
    let edit: (inout Item) -> Void = { [weak self] item in
      guard let detail = self?.linked[key]?.detail else { return edit(&item) }
      detail.callEdits { edit(&item) }
    }
    let shared = SharedEdit<Detail>(editID, itemChange: (ObjectIdentifier(self), edit)) {
      [conversion] detail in
      var item = conversion.item(detail)
      edit(&item)
      detail = conversion.detail(item, detail)
    }
    return list.queue.together {
      for page in list.pages(holding: key) { make(shared, of: key, on: page, nil) }
      if let detail = linked[key]?.detail {
        detail.add(shared)
      } else {
        waiting.append(shared, of: key)
      }
      return shared.handle(list.queue)
    }
  }

  /// Makes an edit on a page, once.
  ///
  /// - Parameter detail: where it was made, unless that is this list.
  private func make(
    _ edit: SharedEdit<Detail>, of key: AnyHashable, on page: PageResource,
    _ detail: SharedDetail<Detail>?
  ) {
    // A page that was wiped shows the item without it.
    guard !edit.isPending(in: page) else { return }
    guard let detailChange = edit.change else { return }
    let change: (inout Item) -> Void =
      edit.itemChange(of: self)
      ?? { [conversion, weak detail, editID = edit.id] item in
        var content = conversion.detail(item, detail?.content(before: editID))
        detailChange(&content)
        item = conversion.item(content)
      }
    edit.make(
      in: page,
      ContentBox<Page<Item>>.edit { [id] page in
        page.items.edit(where: { id($0) == key }, change)
      })
  }
}

extension DetailLink {
  func checkInvariants() {
    schedule.checkInvariants(at: linked.count)
    for (key, known) in linked {
      guard let detail = known.detail else { continue }
      detail.checkInvariants()
      precondition(detail.isShared(with: self, as: key), "\(key): its resource does not know that")
      let pages = known.agreements.compactMap(\.page).map(ObjectIdentifier.init)
      precondition(Set(pages).count == pages.count, "\(key): two agreements of a page")
    }
    let shared = linked.filter { $0.value.detail != nil }
    waiting.checkInvariants(withoutEditsOf: Set(shared.keys))
  }
}
