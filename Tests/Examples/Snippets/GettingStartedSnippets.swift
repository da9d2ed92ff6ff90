// snippet
import Freshet
// end

enum GettingStarted {
  // snippet
  nonisolated struct Gist: Codable, Identifiable, Equatable, Sendable {
    let id: String
    var description: String?
  }

  @MainActor
  final class GitHub {
    let service: Service
    let gists: PagedCollection<Gist>

    init(
      transport: any Transport = SystemTransport(), clock: any StoreClock = .system
    ) {
      service = Service(baseURL: "https://api.github.com", transport: transport, clock: clock) {
        $0.headers["Accept"] = "application/vnd.github+json"
      }
      gists = service.pages("gists/public", of: Gist.self, style: .linkHeader)
    }

    func gist(_ id: Gist.ID) -> Resource<Gist> {
      service.resource("gists/\(id)", of: Gist.self)
    }
  }
  // end
}
