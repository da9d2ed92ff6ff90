import Foundation

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
