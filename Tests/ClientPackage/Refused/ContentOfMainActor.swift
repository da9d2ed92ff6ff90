// error: main actor-isolated conformance of 'Gist' to 'Decodable' cannot satisfy conformance requirement

import Freshet

/// Content is decoded off the main actor: without `nonisolated` it is as this in a module whose default isolation is
/// the main actor.
@MainActor
struct Gist: @MainActor Decodable { let id: Int }

@MainActor
func gists(of service: Service) -> PagedCollection<Gist> {
  service.pages("gists", of: Gist.self)
}
