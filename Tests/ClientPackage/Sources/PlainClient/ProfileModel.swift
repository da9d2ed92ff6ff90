import Freshet

struct Profile: Codable, Sendable, Equatable {
  var name: String
}

/// A view model on the main actor, in a module that is otherwise nonisolated.
@MainActor
final class ProfileModel: @MainActor ResourceObserver {
  private let profile: Resource<Profile>
  private(set) var title = ""
  private(set) var drawings: [String] = []

  init(service: Service) {
    profile = service.resource("profile")
    profile.addObserver(self)
  }

  func refresh() async throws(ResourceError) {
    _ = try await profile.load().value()
  }

  /// Shows the new name at once, and rolls it back if the server does not accept it.
  func rename(to name: String) async {
    let update = profile.updateContent { $0.name = name }
    do {
      _ = try await profile.request(.put, body: .json(["name": name]), as: NoContent.self).value()
      update?.commit()
    } catch {
      update?.rollBack()
    }
  }

  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    title = profile.content?.name ?? profile.latestError?.userMessage ?? "…"
    drawings.append(profile.isLoading ? "\(title) (loading)" : title)
  }
}
