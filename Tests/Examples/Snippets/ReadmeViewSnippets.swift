#if canImport(SwiftUI)
  // snippet
  import Freshet
  import SwiftUI

  nonisolated struct Gist: Codable, Identifiable, Equatable {
    let id: Int
    var title: String
  }

  struct GistList: View {
    let gists: PagedCollection<Gist>

    var body: some View {
      List(gists.items) { gist in
        Text(gist.title).onAppear { gists.itemShown(gist) }
      }
      .loading(gists)
    }
  }
// end
#endif
