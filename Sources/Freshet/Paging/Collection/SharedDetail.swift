import Foundation

/// The resource of an item, which shares its content with the lists that show the item: what it has
/// attached.
final class SharedDetail<Detail: Sendable>: ResourceAttachment {
  private struct Link {
    weak var link: (any DetailSharing<Detail>)?
    let key: AnyHashable
  }

  private weak var resource: Resource<Detail>?
  private let areEqual = ItemTraits<Detail>(nil).areEqual
  private var links: [Link] = []
  /// The newest version of a page by whose item the resource was amended.
  private var amendedVersion = ContentVersion.none
  /// How often the resource was wiped, or got content for a placeholder: what it knew before that does not
  /// count.
  private(set) var wipeCount = 0
  private var hasPlaceholder = false
  /// The edits that are made in the resource and in the lists.
  private(set) var edits: [SharedEdit<Detail>] = []
  /// The number, among those of edits, of the content that lists and resource have from one another.
  let amendmentID: EditID

  private init(_ resource: Resource<Detail>) {
    self.resource = resource
    amendmentID = resource.store.makeEditID()
  }

  /// The attachment of a resource, made if there is none.
  static func of(_ resource: Resource<Detail>) -> SharedDetail {
    if let known = resource.attachment as? SharedDetail { return known }
    let made = SharedDetail(resource)
    resource.attach(made)
    return made
  }

  func join(_ link: any DetailSharing<Detail>, as key: AnyHashable) {
    // Of a copy, released last: the one that is looked at may be deallocated by that.
    let known = links
    links = known.filter { $0.link != nil }
    if !links.contains(where: { $0.link === link }) { links.append(Link(link: link, key: key)) }
    withExtendedLifetime(known) {}
  }

  func isShared(with link: any DetailSharing<Detail>, as key: AnyHashable) -> Bool {
    links.contains { $0.link === link && $0.key == key }
  }

  // MARK: Content

  var hasContent: Bool { resource?.hasData ?? false }

  /// The content without edits that the server has not accepted.
  var accepted: Detail? {
    resource?.acceptedContent.map(ContentBox<Detail>.value)
  }

  /// The content that an edit changes: with the edits before it.
  func content(before edit: EditID) -> Detail? {
    resource?.content(before: edit).map(ContentBox<Detail>.value)
  }

  /// The load that brought the content.
  var version: ContentVersion { max(resource?.version ?? .none, amendedVersion) }

  override func contentChanged() {
    let isPlaceholder = resource?.state.isPlaceholder ?? false
    if !hasContent || hasPlaceholder && !isPlaceholder {
      amendedVersion = .none
      wipeCount += 1
    }
    hasPlaceholder = isPlaceholder
    // Those that have ended are released last: deallocating what they capture may re-enter this method.
    let known = edits
    for edit in known { endIfReplaced(edit) }
    defer { withExtendedLifetime(known) {} }
    if !edits.allSatisfy(\.isPending) { edits = edits.filter(\.isPending) }
    makeEdits()
    for link in links { link.link?.synchronize(link.key, with: self) }
  }

  /// Shows the content of an item, if there is none.
  func showPlaceholder(_ content: Detail, asOf version: ContentVersion) {
    resource?.showPlaceholder(
      ResourceEntity(content, timestamp: version.date).erased, asOf: version.load)
  }

  /// Receives newer content from an item.
  func amend(asOf version: ContentVersion, _ change: @escaping (Detail) -> Detail) {
    amendedVersion = version
    guard let resource, let content = accepted else { return }
    let isNew = areEqual?(content, change(content)) != true
    resource.amend(
      amendmentID, asOf: version.load, isNew: isNew, ContentBox.edit { $0 = change($0) })
  }

  // MARK: Edits

  override func share(_ edit: @escaping ContentEdit) -> ContentUpdate? {
    guard let resource else { return nil }
    let shared = SharedEdit<Detail>(resource.store.makeEditID()) { [weak self] detail in
      let content = ContentBox(detail)
      // Also if it is called for an item of a list, it is an edit of the resource.
      let edited = self?.callEdits { edit(content) } ?? edit(content)
      detail = ContentBox<Detail>.value(of: edited)
    }
    return resource.queue.together {
      add(shared)
      return shared.handle(resource.queue)
    }
  }

  /// Calls edits of the resource, which must not change it, wherever what they make is shown.
  func callEdits<Result>(_ body: () -> Result) -> Result {
    guard let resource else { return body() }
    return resource.callEdits(body)
  }

  /// Makes an edit in the resource, once that has content, and in the lists.
  func add(_ edit: SharedEdit<Detail>) {
    guard edit.isPending else { return }
    edits.append(edit)
    contentChanged()
  }

  /// Ends an edit in the lists that an override or a wipe has ended in the resource: the next content may be another
  /// user's.
  private func endIfReplaced(_ edit: SharedEdit<Detail>) {
    guard let resource, edit.isMade(in: resource), !edit.isPending(in: resource) else { return }
    edit.end(.rollBack)
  }

  private func makeEdits() {
    guard let resource, resource.hasData else { return }
    for edit in edits where !edit.isMade(in: resource) {
      if let change = edit.change { edit.make(in: resource, ContentBox.edit(change)) }
    }
  }
}

extension SharedDetail {
  func checkInvariants() {
    let lists = links.compactMap(\.link).map { ObjectIdentifier($0) }
    precondition(Set(lists).count == lists.count, "a list twice")
    for edit in edits { edit.checkInvariants() }
    precondition(Set(edits.map(\.id)).count == edits.count, "an edit twice")
    precondition(edits.allSatisfy { $0.id != amendmentID }, "an edit has the number of another")
  }
}

/// When the server sent a content: a later load counts more, and of what the persistent cache had, the
/// later date.
struct ContentVersion: Comparable {
  let load: ResourceState.LoadID
  let date: Date

  static let none = ContentVersion(load: 0, date: .distantPast)

  static func < (one: ContentVersion, other: ContentVersion) -> Bool {
    (one.load, one.date) < (other.load, other.date)
  }
}

extension AnyResource {
  var version: ContentVersion {
    ContentVersion(load: state.confirmingLoad, date: state.data?.timestamp ?? .distantPast)
  }
}
